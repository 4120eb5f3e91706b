"""Progress, arrivals, hosts, the slowest, addresses: each worked out once more in another way."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_samples import Wish, cancelled_run, changed, lab_run, plain_run

from kubectl_c9s.measurement.addresses import addresses
from kubectl_c9s.measurement.arrivals import MOST_BINS, bin_ends, progress
from kubectl_c9s.measurement.figures import figures
from kubectl_c9s.measurement.report import Total, start_report
from kubectl_c9s.measurement.reportnotes import report_notes
from kubectl_c9s.measurement.run import Device, HostCount, Peak, Run, Sample, Usage


@given(st.floats(0, 1e12), st.integers(1, 200), st.sampled_from([0.1, 1.0]))
def test_bins_are_round_and_hold_everything(longest: float, most: int, least: float) -> None:
    ends = bin_ends(longest, most, least)
    assert len(ends) <= most
    assert ends[-1] > longest
    assert len(ends) == 1 or ends[-2] <= longest
    assert ends[0] >= least
    assert ends[0] == int(ends[0]) or ends[0] in {0.1, 0.2, 0.5}


def test_bins_of_stamps_are_not_finer_than_stamps() -> None:
    found = start_report(lab_run(Wish(devices=8, boot=0.1)), "x")
    widths = {clock: one.width for clock, one in found.progress.items() if one}
    assert widths == {"stamped": 1.0, "observed": 0.1}


@given(st.lists(st.floats(0, 5000), min_size=1, max_size=60), st.floats(0, 1e9))
def test_progress_counts_those_before_the_end_of_each_bin(times: list[float], start: float) -> None:
    devices = [Device("ns", f"r{i}", observed={"pod": start + at}) for i, at in enumerate(times)]
    found = progress(devices, "observed", start, "x")
    assert found is not None
    moments = [one.observed["pod"] - start for one in devices]
    for end, count in zip(found.moments, found.reached["pod"], strict=True):
        assert count == sum(at < end for at in moments)
    assert found.reached["pod"][-1] == len(times)
    assert len(found.moments) <= MOST_BINS


def test_arrivals_are_those_of_pods() -> None:
    run = lab_run()
    came = start_report(run, "x").arrivals["stamped"]
    assert came is not None
    times = sorted(one.stamps["pod"] - run.anchor.at for one in run.devices if run.anchor)
    assert (came.pods, came.first, came.last) == (300, times[0], times[-1])
    assert sum(came.bins) == 300
    assert came.per_second == pytest.approx(300 / (times[-1] - times[0] + 1))
    begin = came.width * came.bins.index(max(came.bins))
    assert came.peak_at == begin
    inside = sum(begin <= at < begin + came.width for at in times)
    assert came.peak == pytest.approx(inside / came.width)


def test_a_host_has_its_own_devices_and_what_was_seen_of_it() -> None:
    run = lab_run()
    hosts = {one.name: one for one in start_report(run, "x").timelines.hosts}
    assert len(hosts) == 10
    one = hosts["worker-03"]
    there = [device for device in run.devices if device.host == "worker-03"]
    assert (one.devices, one.ready) == (len(there), len(there))
    assert one.peak is not None
    assert one.peak.booting == run.peaks["worker-03"].booting == 4
    assert one.seen is not None
    assert max(one.seen.booting) == max(sample.hosts["worker-03"].booting for sample in run.samples)
    assert one.stamped is not None
    assert one.stamped.ready[-1] == len(there)
    assert one.cores == max(sample.usage["worker-03"].cpu for sample in run.samples)


def test_bins_without_a_sample_show_the_last_one_and_none_shows_what_came_later() -> None:
    counts = {0.0: 0, 10.0: 3, 200.0: 1, 601.0: 0}
    run = Run(
        verdict="reached",
        expected=1,
        elapsed=601.0,
        samples=tuple(
            Sample(at, {"a": HostCount(booting=count)}, {"a": Usage(1.0, 2.0)})
            for at, count in counts.items()
        ),
    )
    found = start_report(run, "x").timelines
    seen = found.hosts[0].seen
    assert seen is not None
    assert found.seen_width == 15.0
    assert list(seen.booting) == [3] * 13 + [1] * 27 + [0]


def test_observed_times_of_hosts_count_from_the_first_that_was_seen() -> None:
    run = lab_run()
    first = min(time for one in run.devices for time in one.observed.values())
    peak = start_report(run, "x").timelines.hosts[0].peak
    assert peak == Peak(run.peaks["worker-00"].booting, run.peaks["worker-00"].elapsed - first)


def test_samples_count_from_the_first_that_was_seen_and_earlier_ones_show_nothing() -> None:
    device = Device("ns", "a", host="h", observed={"pod": 100.0})
    samples = tuple(
        Sample(at, {"h": HostCount(booting=count)})
        for at, count in ((50.0, 7), (100.0, 1), (103.0, 2))
    )
    run = Run(verdict="reached", expected=1, elapsed=103.0, devices=(device,), samples=samples)
    found = start_report(run, "x").timelines
    assert found.seen is not None
    assert found.width * len(found.seen.booting) == pytest.approx(3.1)
    assert found.seen.booting[0] == 1
    assert max(found.seen.booting) == found.seen.booting[-1] == 2


def test_pods_of_all_hosts_are_added_within_a_sample_and_never_maxima_of_hosts() -> None:
    moments = ((0.0, 4, 0), (0.05, 0, 4))
    samples = tuple(
        Sample(at, {"a": HostCount(booting=a), "b": HostCount(booting=b)}) for at, a, b in moments
    )
    found = start_report(
        Run(verdict="reached", expected=1, elapsed=1.0, samples=samples), "x"
    ).timelines.seen
    assert found is not None
    assert found.booting == (4,)


def test_the_slow_host_and_its_devices_are_named_first() -> None:
    found = start_report(lab_run(Wish(slow_host="worker-03")), "x").slowest
    assert found.hosts[0].name == "worker-03"
    assert found.hosts[0].beyond > 20
    assert {one.host for one in found.devices} == {"worker-03"}
    assert found.whole == "pod->ready"


def test_devices_that_are_not_ready_are_named_with_what_they_reached() -> None:
    found = start_report(cancelled_run(), "x").slowest
    assert found.unready_devices == 100
    assert len(found.unready) == 10
    assert {one.last for one in found.unready} == {"deployment"}


def test_devices_are_put_in_order_by_one_kind_of_time_only() -> None:
    """A device that was only observed, however slow, does not stand beside the stamps of others."""
    run = lab_run(Wish(devices=20))
    odd = msgspec.structs.replace(
        run.devices[0], stamps={}, observed={"pod": 1.0, "ready": 5000.0}, host="other"
    )
    found = start_report(changed(run, devices=(odd, *run.devices[1:])), "x")
    assert found.slowest.clock == found.timelines.clock == "stamped"
    assert odd.full_name not in {one.name for one in found.slowest.devices}
    other = {one.name: one for one in found.timelines.hosts}["other"]
    assert other.pod_to_ready.seconds.count == 0
    only_seen = tuple(msgspec.structs.replace(one, stamps={}) for one in run.devices)
    assert start_report(changed(run, devices=only_seen), "x").slowest.clock == "observed"


def test_totals_are_of_all_expected_devices_or_not_there() -> None:
    whole, part = start_report(lab_run(), "x"), start_report(cancelled_run(), "x")
    assert "ready" in whole.last
    assert "ready" not in part.last
    assert "deployment" in part.last
    ready = whole.overall["ready"]
    assert ready.since_start is not None
    assert ready.since_recording is not None
    assert ready.since_start < ready.since_recording


def test_a_run_made_after_the_fact_has_its_totals_and_peaks_by_stamps() -> None:
    devices = tuple(msgspec.structs.replace(one, observed={}) for one in lab_run().devices)
    run = changed(lab_run(), clock="stamped", devices=devices, samples=(), overall={"ready": 177.0})
    found = start_report(run, "x")
    assert found.overall["ready"] == Total(177.0, None)
    assert found.timelines.hosts[0].peak == run.peaks["worker-00"]
    keys = {key.clock for key in figures(found) if key.kind in ("stage", "since-start", "total")}
    assert keys == {"stamped"}
    assert "most boots on a host, stamped" in {key.name for key in figures(found)}
    assert not any("before the recording began" in note for note in report_notes(run, found))


def test_devices_that_were_there_before_take_times_since_the_start_away() -> None:
    run = lab_run()
    early = tuple(
        msgspec.structs.replace(
            one, observed={name: at for name, at in one.observed.items() if at > 60}
        )
        for one in run.devices
    )
    late = changed(run, devices=early)
    found = start_report(late, "x")
    assert found.unseen == 300
    assert found.overall["ready"].since_start is None
    assert any("300 device(s) were there before" in note for note in report_notes(late, found))
    keys = figures(found)
    assert not [key for key in keys if key.kind == "since-start" and key.clock == "observed"]
    assert [key for key in keys if key.kind == "since-start" and key.clock == "stamped"]


def test_addresses_are_counted_by_family_and_repeated_ones_named() -> None:
    devices = [
        Device("ns", "a", addresses=("10.0.0.1", "fd00::1")),
        Device("ns", "b", addresses=("10.0.0.1",)),
        Device("ns", "c"),
    ]
    found = addresses(devices)
    assert found.families == {"IPv4": 1, "IPv4+IPv6": 1, "none": 1}
    assert found.repeated == {"10.0.0.1": ("ns/a", "ns/b")}


def test_a_replay_tells_how_true_it_was() -> None:
    run = plain_run(invalid=("too late",))
    found = start_report(run, "x")
    assert found.replay == run.replay
    assert found.churn is None
