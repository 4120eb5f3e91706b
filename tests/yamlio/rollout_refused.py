"""Edits that are refused, each with the place that the refusal has to point at."""

from __future__ import annotations

from typing import Final

from kubectl_c9s.yamlio.rolloutedit import Change, Leave

CONFIG: Final = "apiVersion: c9s.run/v1alpha1\nkind: Config\nmetadata: {name: clabernetes}\n"
LAB: Final = "apiVersion: c9s.run/v1alpha1\nkind: Topology\nmetadata: {name: lab}\n"
RELEASE: Final = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: x}\nspec:\n"
)
SET: Final = Change(batch_size=9)
UNSET: Final = Change(batch_size=Leave.OUT)
DROP: Final = Change(batch_size=Leave.OUT, drop_empty=True)

# By name: the text, the change, then code, line, column and a piece of the message of each finding.
Refusal = tuple[str, Change, list[tuple[str, int, int, str]]]
REFUSED: Final[dict[str, Refusal]] = {
    "no YAML": ("a: [\n", SET, [("invalid-yaml", 2, 1, "not valid YAML")]),
    "a key twice": (CONFIG + "kind: Config\n", SET, [("duplicate-key", 4, 1, "'kind'")]),
    "a foreign tag": (CONFIG + "spec: !x {}\n", SET, [("foreign-tag", 4, 7, "'!x'")]),
    "an empty file": ("", SET, [("no-single-object", 0, 0, "no Config 'clabernetes'")]),
    "comments alone": ("# c\n---\n# d\n", SET, [("no-single-object", 0, 0, "chart's values")]),
    "another kind": (LAB, SET, [("no-single-object", 0, 0, "in f.yaml")]),
    "a Config of another name": (
        CONFIG.replace("clabernetes", "mine"), SET, [("no-single-object", 0, 0, "no Config")],
    ),
    "a Config of another version": (
        CONFIG.replace("v1alpha1", "v1"), SET, [("no-single-object", 0, 0, "no Config")],
    ),
    "a containerlab file": (
        "name: lab\ntopology: {nodes: {}}\n", SET, [("no-single-object", 0, 0, "no Config")],
    ),
    "values beside another document": (
        "globalConfig: {}\n---\na: 1\n", SET, [("no-single-object", 0, 0, "no Config")],
    ),
    "a list of lists": ("- - a\n", SET, [("no-single-object", 0, 0, "no Config")]),
    "two Configs": (
        f"{CONFIG}---\n{CONFIG}  # c\n",
        SET,
        [("no-single-object", 1, 1, "one of 2"), ("no-single-object", 5, 1, "one of 2")],
    ),
    "a Config and a release of the chart": (
        f"{CONFIG}---\n{RELEASE}  values:\n    globalConfig: {{}}\n",
        SET,
        [("no-single-object", 1, 1, "Config 'clabernetes'"), ("no-single-object", 10, 5, "HelmRelease 'x'")],
    ),
    "two charts that could be meant": (
        "a: {globalConfig: {}}\nb:\n  globalConfig:\n",
        SET,
        [("no-single-object", 1, 4, "one of 2"), ("no-single-object", 3, 3, "one of 2")],
    ),
    "rollout is a number": (
        CONFIG + "spec:\n  rollout: 5\n", SET, [("invalid-type", 5, 12, "spec.rollout must be a mapping")],
    ),
    "rollout is a list": (
        CONFIG + "spec:\n  rollout:\n  - batchSize: 5\n", SET, [("invalid-type", 6, 3, "not a sequence")],
    ),
    "rollout is an empty list": (
        CONFIG + "spec: {rollout: []}\n", SET, [("invalid-type", 4, 17, "not a sequence")],
    ),
    "spec is a text": (CONFIG + "spec: |\n  rollout\n", SET, [("invalid-type", 4, 7, "spec must be")]),
    "spec is an empty text": (CONFIG + "spec: ''\n", SET, [("invalid-type", 4, 7, "spec must be")]),
    "the field is a mapping": (
        CONFIG + "spec: {rollout: {batchSize: {}}}\n", SET, [("invalid-type", 4, 29, "an integer")],
    ),
    "the field that goes is a list": (
        CONFIG + "spec: {rollout: {batchSize: [5]}}\n", UNSET, [("invalid-type", 4, 29, "not a sequence")],
    ),
    "rollout is an alias": (
        CONFIG + "x: &r {batchSize: 5}\nspec:\n  rollout: *r  # é😀\n",
        SET,
        [("shared-value", 6, 12, "spec.rollout is an alias of line 4")],
    ),
    "spec is an alias": (
        CONFIG + "x: &s {}\nspec: *s\n", SET, [("shared-value", 5, 7, "spec is an alias of line 4")],
    ),
    "rollout comes from a merge key": (
        CONFIG + "x: &s\n  rollout: {batchSize: 5}\nspec:\n  <<: *s\n  a: 1\n",
        SET,
        [("shared-value", 7, 7, "rollout comes from this merge key")],
    ),
    "rollout comes from a list of merges": (
        CONFIG + "x: &s {rollout: {batchSize: 5}}\ny: &t {<<: *s}\nspec: {<<: [{b: 1}, *t]}\n",
        UNSET,
        [("shared-value", 6, 12, "rollout comes from this merge key")],
    ),
    "spec comes from a merge key": (
        "x: &x {spec: {}}\n" + CONFIG + "<<: *x\n", SET, [("shared-value", 5, 5, "spec comes from")],
    ),
    "a merge key behind rollout gives one, too": (
        CONFIG + "x: &s {rollout: {}}\nspec:\n  rollout: {batchSize: 5}\n  <<: *s\n",
        SET,
        [("shared-value", 7, 7, "rollout comes from")],
    ),
    "a merge key behind the field gives it, too": (
        CONFIG + "x: &d {batchSize: 4}\nspec:\n  rollout:\n    batchSize: 5\n    <<: *d\n",
        SET,
        [("shared-value", 8, 9, "batchSize comes from")],
    ),
    "a field that goes comes from a merge key": (
        CONFIG + "x: &d {batchSize: 4}\nspec:\n  rollout:\n    <<: *d\n",
        UNSET,
        [("shared-value", 7, 9, "batchSize comes from")],
    ),
    "a field that goes comes back from a merge key": (
        CONFIG + "x: &d {batchSize: 4}\nspec:\n  rollout:\n    <<: *d\n    batchSize: 5\n",
        UNSET,
        [("shared-value", 7, 9, "batchSize comes from")],
    ),
    "rollout is used elsewhere": (
        CONFIG + "spec:\n  rollout: &r\n    batchSize: 5\n  copy: *r\n",
        SET,
        [("shared-value", 5, 12, "spec.rollout has the anchor 'r', which line 7 uses")],
    ),
    "an empty rollout is used elsewhere": (
        CONFIG + "spec:\n  rollout: &r\n  copy: *r\n", SET, [("shared-value", 5, 12, "which line 6 uses")],
    ),
    "rollout is used by a merge key elsewhere": (
        CONFIG + "spec: {rollout: &r {batchSize: 5}, copy: {<<: *r}}\n",
        UNSET,
        [("shared-value", 4, 17, "which line 4 uses")],
    ),
    "spec is used elsewhere": (
        CONFIG + "spec: &s {}\ncopy: [*s]\n", SET, [("shared-value", 4, 7, "spec has the anchor 's'")],
    ),
    "the number is used elsewhere": (
        CONFIG + "spec:\n  rollout:\n    batchSize: &n 5\n    maxConcurrentPerHost: *n\n",
        SET,
        [("shared-value", 6, 16, "spec.rollout.batchSize has the anchor 'n', which line 7 uses")],
    ),
    "the number that goes is used elsewhere": (
        CONFIG + "spec:\n  rollout:\n    batchSize: &n 5\n    maxConcurrentPerHost: *n\n",
        UNSET,
        [("shared-value", 6, 16, "which line 7 uses")],
    ),
    "the key that goes is used elsewhere": (
        CONFIG + "spec:\n  rollout:\n    &k batchSize: 5\nx: *k\n",
        UNSET,
        [("shared-value", 6, 5, "has the anchor 'k', which line 7 uses")],
    ),
    "the key of the rollout that goes is used elsewhere": (
        CONFIG + "spec:\n  &k rollout:\n    batchSize: 5\nx: *k\n",
        DROP,
        [("shared-value", 5, 3, "has the anchor 'k', which line 7 uses")],
    ),
    "an item of a List is used elsewhere": (
        "apiVersion: v1\nkind: List\nitems:\n- &c\n  " + CONFIG.replace("\n", "\n  ") + "\n- *c\n",
        SET,
        [("shared-value", 4, 3, "items.0 has the anchor 'c', which line 9 uses")],
    ),
    "in the second document": (
        f"# é\u2028# this is a line of its own\n{LAB}---\n# 😀\r\n{CONFIG}spec: 5\n",
        SET,
        [("invalid-type", 11, 7, "spec must be a mapping, not the text or number '5'")],
    ),
    "a key on the line of another one goes": (
        CONFIG + "spec:\n  ? rollout\n  : batchSize: 5\n", UNSET, [("uneditable-form", 6, 5, "of its own")],
    ),
    "an explicit key without a value": (
        CONFIG + "spec:\n  rollout:\n    ? batchSize\n", SET, [("uneditable-form", 6, 7, "of its own")],
    ),
    "a comment between an entry and its comma": (
        CONFIG + "spec: {rollout: {batchSize: 5 # c\n  , x: 1}}\n",
        UNSET,
        [("uneditable-form", 4, 18, "each key a line of its own")],
    ),
    "blank lines that the text before would take in": (
        LAB.replace("Topology", "Config").replace("lab", "clabernetes")
        + "spec:\n  text: |+\n    a\n  rollout:\n    batchSize: 5\n\n",
        DROP,
        [("uneditable-form", 7, 3, "cannot be changed in place")],
    ),
    "a comment that the text before would take in": (
        CONFIG + "spec:\n  text: |\n    a\n  rollout:\n    batchSize: 5\n      # c\n",
        DROP,
        [("uneditable-form", 7, 3, "cannot be changed in place")],
    ),
}  # fmt: skip
