"""Values in formats of menud's own, and a check of every refusal of what the document allows."""

import re

import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode

RULES = st.sampled_from([
    "true", "1", "'text'", "null", "[1, 2]", "{'a': 1}", "state", "state.selection",
    "size(state.selection) > 1", "has(state.zoom) && state.zoom > 100", "responder.id",
    "sender == null ? 'none' : string(sender)", "arguments[0]", "state.?zoom.orValue(0) + 1",
    "1 / 0", "state.nothing.at.all", "command.title + '…'",
])
NAMED = ["UIKeyInputUpArrow", "UIKeyInputEscape", "UIKeyInputF12", "UIKeyInputDelete"]
KEYS = st.one_of(st.characters(min_codepoint=33, max_codepoint=126), st.sampled_from(NAMED + ["é"]))

schemathesis.openapi.format("cel", RULES)
schemathesis.openapi.format("key", KEYS)

# What calls a body wrong that its schema allows. Each is a rule that JSON Schema has no words for.
NO_SCHEMA_SAYS = [re.compile(pattern) for pattern in [
]]


@schemathesis.check
def only_what_no_schema_says(ctx, response, case):
    """Refusals of bodies that the document allows give one of the reasons above."""
    if response.status_code not in (400, 422) or not case.meta:
        return
    if case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    problem = response.json()
    if problem["type"] not in ("/problems/invalid-body", "/problems/invalid-query"):
        return
    details = [error["detail"] for error in problem.get("errors", [problem])]
    unknown = [detail for detail in details
               if not any(pattern.search(detail) for pattern in NO_SCHEMA_SAYS)]
    assert not unknown, f"The document allows what is refused: {unknown[:3]}"
