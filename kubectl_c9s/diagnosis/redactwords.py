"""Words that may stay when names are taken out of a text, and the phrases that rules look for (causes.md §§1, 1.1).

A list of what may stay, not of what must go: what nobody has thought of is replaced. The words are those of messages
of the API server, its controllers, the scheduler, kubelets, container runtimes, network plugins and the manager.
"""

from __future__ import annotations

import re
from typing import Final

PRODUCT: Final = "clabernetes"
"""The usual name of an installation, and that of every Config."""
CONTAINERS: Final = frozenset({"startup-gate", "planner", "clabwire", "manager"})
"""Containers that are the same in every lab."""
LEASES: Final = frozenset({"c9s-reconciler"})
"""Leases that are called the same everywhere."""

# What the rules of this room ask a message for.
_PHRASES: Final = (
    "exceeded quota", "is forbidden", "violates PodSecurity", "denied request", "denied the request",
    "failed calling webhook", "not found", "failed to sync", "available:", "preemption:", "Too many pods",
    "untolerated taint", "were unschedulable", "didn't match Pod's node affinity/selector", "Startup probe failed",
    "didn't match pod topology spread", "unbound immediate PersistentVolumeClaims",
)  # fmt: skip
PHRASES: Final = re.compile(f"({'|'.join(map(re.escape, _PHRASES))}|Insufficient [A-Za-z0-9./_-]+)")
"""One group: splitting by it keeps the phrases."""
SYNC, CACHE = "failed to sync", "cache"
"""A rule asks for both; the second alone is a word like others."""
INSUFFICIENT: Final = "Insufficient "

# fmt: off
WORDS: Final = frozenset("""
a about above absent accept accepted access accessmodes account acquire acquired action active actual add added address
addresses admission admit admitted affected affinity after again against age alert all allocatable allocate allocated
allocating allocation allocations allocator allowed allowprivilegeescalation already also always am amd amd64 an and
annotation annotations another anti any anything api apiextensions apis apiserver app apparmor applied apply
applyconflict applying apps arch archive are argocd argument arguments arm64 artifact artifacts as assign assigned
assigning assignment assume at attach attachdetach attached attaching attachments attachvolume attempt attempts
attributes auth authentication authorisation authority authorization authorized authorizer automatic availability
available away back backend backends backoff bad balancer base baseline bash batch batches batchsize be because been
before begin behind being below beta between bind binder binding bindings bit blob blobs block blocked blocks body boot
booting both bound bounded box bridge broken budget buffer bug build built burst busy but by bytes c9s cache cached
calico call called calling can canceled cancelled cannot canonical capabilities capacity cause caused cel ceph
certificate cgroup cgroups cgroupv2 change changed changes character characters check checks child cidrs cilium circuit
clab clabernetes clabwire claim claimed claims clean cleanup client clone close closed closing cluster cni code collect
collector com command committed compacted compaction complete completed completion component compute condition
conditions config configmap configmaps configuration conflict conflicting conflicts conflictserror conflist connect
connected connection connectivity connectivityready constraint constraints consumed consumer contact contain container
containerd containers containersready contains content context continue control controller controllers coordination
copy could count cpu crash crashloopbackoff crd create created creating creation credentials cri crio cronjob csi
csidriver current custom cycle d dadfailed daemon daemonset data datastore day days deadline deallocate decode default
defaults defined definition degraded degrading del delegate delete deleted deleting deletion denied deny deployed
deployfailed deploying deployment deployments depth desc describe desired detach detached detail details detected
device deviceplan deviceready devices dial did didn digest direct directory disabled disallowed disk diskpressure
disruption dns do docker dockerd does doesn domain domains done dormant double down driver drop dropcapabilities
dropped dry due duplicate duplicated duration during dynamically e each edge effect either elected election element
else empty enable enabled enclosing encountered end ended endpoint endpoints ends enough entity entry environment eof
ephemeral err errimagepull error errors esdc etcd evaluate evaluated evenly event events evict evicted evicting
eviction evictions exceed exceeded exceeding exceeds except excluded exec executable execute exhausted exist existing
exists exit exited expected expired expires explained expr expression extension external extra f fail failed failing
fails failure false fatal fetch fetching field fields file files filesystem filter finalizer finalizers find finished
first fit fixed flannel flux following for forbidden force format found free from fsgroup full function functionality
functions g garbage gate gated gates gateway general generate generated generation generic get getting given global go
goaway gone goroutine gpu grace graceful graceperiod grant group groups grpc h had handler handshake handshakes hard
has have haven health healthy held helm help helper helpful hint hit hold holder hook host hostipc hostname hostnetwork
hostpath hostpid hostports hosts hour hours http http2 https hugepages hung i id identity idle if ignore ignored image
imagefs imagepull imagepullbackoff imagepullpolicy images immediate immutable in incoming incompatible incomplete info
ingress init initialization initialize initialized initializing inode inodes inodesfree input insecure inside inspect
install installed instance insufficient intel interface interfaces internal internalerror interrupt interrupted into
invalid invalidspec invariant inventory invoke io ip ipam ipamblock ippool ippools ips iptables ipv4 ipv6 is iscsi isn
issue issuer it item items its itself job json k k8s keep keepalive kept kernel key keys kill killed killing kind kube
kubeconfig kubectl kubelet kubenet kubernetes kustomize l label labels large last later latest launch layer layers
leader leaked lease leases least left length less library lifecycle like limit limited limits line link links linux
list listen listing live liveness livenessprobe load local localhost lock locked log long longer lookup loop lost low
lower m made make manage managed manager managers manifest manifests many map mapping marshal mask match matched
matches matching matchlabelkeys max maxconcurrentperhost maximum maxpods maxreplicas maxskew may media member memory
memorypressure merge message met metadata method metrics middle min minimum minimumreplicasavailable
minimumreplicasunavailable minreplicas minute minutes misconfigured mismatch missing mode module more most mount
mounted mounting mountpoint mounts mounttimeout mountvolume move ms multi multipath multiple multus must mutating
mutatingadmissionpolicy n name named names namespace namespaces need needed needs net netconf netns netplugin network
networking networkpluginnotready networkready networkstatus networkunavailable never new newest newreplicasetavailable
next nfs nft no nodata node nodeaffinity nodeconditions nodefs nodelifecycle nodename nodeport nodeprofile nodeprofiles
nodes nodeselector noexecute nominated nominatednodename none nonroot nor noschedule nosuchhost not note nothing
notready now nri ns number nvidia o object objects observed obtain occurred oci of off offset oid old on once one only
oom oomkilled open operation operator option or orphan os other others out output outside over overcommit overflow
overlap overlapping overlay overlayfs overloaded own owned owner owns p page pair panic parameter parent parse parsing
part partial passed patch path peer peers pending per percent percentage permanent permission permitted persistent
persistentvolume persistentvolumeclaim persistentvolumeclaims phase pid pidpressure pids pinned pipe place plan
planapplied plane planned planner planning platform platforms plugin plugins pod podcidr podcidrs
podreadytostartcontainers pods podsandbox podscheduled podsecurity point policies policy pool port ports possible post
posting postponed predicate preempt preempted preemption preemptionpolicy prefernoschedule prefix preparation prepare
prepared preparing present pressure prevent previous primary priority privileged probe probed problem proc process
processes procmount profile profiles progress progressing projected proper protocol provided provider provision
provisioner provisioning proxy publish published pull pulled pulling pullsecrets put q qos quantity query queue queued
queueing quota quotas r range ranges rate rather ratio reach reachable reached read readiness readinessprobe reading
ready reason reclaim reconcile reconciled reconcileerror reconciler reconciliation reconciliations reconciling recorded
recreate recreated reference referenced refresh refuse refused regarding region register registered registry reject
rejected release reload remain remaining remote remove removed removing render rendered renew renewal renewed repeat
replace replica replicas replicaset replicasets replicationcontroller report reported reporting repository request
requested requests require required requires reservation reserved reset resize resolve resolved resolver resolves
resolving resource resourcequota resourcequotas resources respond response restart restarted restarting restarts
restore restrict restricted result results retries retry retrying return returned right rollback rollingupdate rollout
root rootfs route rpc rst rule rules run runasnonroot runasuser runc running runs runtime s same sand sandbox sandboxes
saturated scale scaled scaling schedulable schedule scheduled scheduler scheduling schedulinggated schema scope seccomp
seccompprofile second secondary seconds secret secrets section security securitycontext see select selected selector
self selinux send sent serialization series served server service serviceaccount serviceaccounts services serving set
sets setting setup setupat several sha sha1 sha256 sha512 share shared shim shims should shown shutdown shutting side
sidecar sig sigkill signal signed signedby sigterm since size skew skip skipped slot slots slow small snapshot so
socket soft some soon source space spec specified spread squashfs ssa stage staging stale standby start started
starting startup startupprobe state stateful statefulset statically status statusprobes step still stop stopped
stopping storage storageclass store strategy stream strict string sub subject subnet subnetrange subnets subpath
subresource subset succeed succeeded success successful successfully such sufficient suggestion suggestions sum support
supported surge suspend suspended swap sync synced syncing syntax sysctl sysctls system t table tag tags taint tainted
taints take taken target task tcp teardown template temporary term terminate terminated terminating termination than
that the their them then there these they things this those threshold thresholds throttled time timed timeout timestamp
timestamps tls to token tolerate tolerated toleration tolerations too took toolkit toomanyrequests top topologies
topology topologyspread total tracking transaction transient transport tried trouble true trust trusted try trying ttl
tunnel tunnelid two type types udp uid unable unallowed unauthorized unavailable unbound unchanged undefined under
unexpected unexplained unhandled unhealthy unique unit unix unknown unknownhost unless unlimited unmarshal
unmarshalling unmet unmount unmounted unpack unpacking unplanned unprocessable unpublish unpublished unreachable
unreadable unready unrecognized unresolved unsatisfiable unsatisfied unschedulable unset unspecified unstage
unsupported unsupportedmediatype until untolerated unused unverified up update updated updating upgrade uplink upper
uptodate us usage use used user users uses using utf utilization v v1 v1alpha1 v1beta1 v2 valid validate validating
validatingadmissionpolicy validation value values var variable variables verification verified verify version versions
veth via victims violated violates violation vlan volume volumes vxlan w wait waited waitforfirstconsumer waiting waits
wanted warning was watch wave way weave webhook webhooks were what when where whether which while who whole will with
within without work worked worker workers workload workloads would write writing written wrong x x509 x86 yaml yet you
zero zone
""".split())  # noqa: SIM905 - a thousand strings in a list would fill pages
"""Words that may stay, in lower case; the parts of names like ``PlanApplied`` are looked up one by one."""
# fmt: on
