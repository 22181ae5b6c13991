"""Values in formats of menud's own, and a check of every refusal of what the document allows."""

import re

import schemathesis
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core import NOT_SET

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


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    """Says what strings are rules and keys; in the document itself generators would stumble over formats
    that they do not know."""
    schemas = raw_schema["components"]["schemas"]
    for name in ("Rule", "PlaceRule"):
        schemas[name]["format"] = "cel"
    schemas["KeyInput"]["format"] = "key"


# The problems of bodies that their schema allows. Each is a rule that JSON Schema has no words for.
NO_SCHEMA_SAYS = [re.compile(pattern) for pattern in [
    # Numbers of JSON Schema have no kinds: 5.0 is an integer there, and none here, as in CEL.
    r"^Expected an integer( from \d+ to \d+)?, found the number -?\d+(\.0|(\.\d+)?e\+\d+)\.$",
    # Names that must be there: in a query that is 400.
    r"^The class '.*' in the scene '.*' is not declared\.$", r"^The touch bar has '.*' already\.",
    r"^'.*' is of kind '.*'; only a responder of kind '", r"^The session has no responder '",
    r"^There is no menu '", r"^The responder '.*' is of kind '.*'; only a window can be the ",
    r"^The storyboard '.*' has no scene '", r"^'.*' and '.*' exclude each other; ",
    # A moment is a number, or text in a format.
    r"^Expected milliseconds since 1970, or a moment such as ",
    # The type of a rule's value.
    r"^The rule does not compile: the value is .*, never an? ",
    # The schema of parameters is any of JSON Schema, of which some keywords are not supported.
    r"(?s)^The keyword '.*' is not supported; ",
    # One member or name in relation to another one's value.
    r"^'from' in the query needs 'session' beside it\.$",
    r"^Expected as many arguments as '.*' has colons, ", r"' takes \d+ arguments?, not \d+\.$",
    r"^The command calls itself '.*' but stands under '",
    r"^The key commands? .* (is declared twice, |have the same )",
    r"^Two alternates have the modifiers '", r"^The protocol '.*' has the message '.*' twice\.",
    r" is no 'Mcp-Session-Id' that was given here\.$",
    # Which members a responder has is told by its kind, and those of a responder within a storyboard are
    # the same but for links: all in descriptions.
    r"^The member '.*' is missing\.$", r"^A responder of kind '", r"^A segue of kind '",
    r"^'answers' and 'queue' exclude each other; ",
    r"^There is no member '.*' here; known are id, class, properties, ",
    r"^There is no member '.*' here; known are class, properties, ",
]]


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Whether a path has a method is asked without a body where the method must not have one: that is
    refused with 400 before anybody looks at the path, so that no two parties read it differently."""
    if case.method.upper() in ("GET", "HEAD", "DELETE", "OPTIONS"):
        case.body = NOT_SET


# These paths are also those of a command called `validate`, `perform` or `search`, of a menu `edits` and of a
# storyboard `warnings`, which can be declared and removed like all others, and `Allow` says so. OpenAPI has no
# words for that: there, a path without parameters hides those with them.
ALSO = {
    "/commands/validate": ("GET", "PUT", "DELETE"), "/commands/perform": ("GET", "PUT", "DELETE"),
    "/commands/search": ("GET", "PUT", "DELETE"),
    "/menus/edits": ("GET",), "/storyboards/warnings": ("PUT", "DELETE"),
}


@schemathesis.hook
def after_call(ctx, case, response):
    """Leaves the methods of such commands and storyboards out of `Allow`, of which all else is checked."""
    if response.request.method == "OPTIONS" and "allow" in response.headers:
        methods = response.headers["allow"][0].split(", ")
        also = ALSO.get(case.operation.path, ())
        response.headers["allow"] = [", ".join(name for name in methods if name not in also)]


@schemathesis.check
def only_what_no_schema_says(ctx, response, case):
    """Refusals of bodies that the document allows give one of the reasons above."""
    if response.status_code not in (400, 422) or not case.meta:
        return
    if case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    problem = response.json()
    # An error of JSON-RPC: the schema of a message does not say which fields of the request it goes with.
    if "jsonrpc" in problem:
        return
    if response.status_code == 422 and problem["type"] != "/problems/invalid-body":
        return
    details = [error["detail"] for error in problem.get("errors", [problem])]
    unknown = [detail for detail in details
               if not any(pattern.search(detail) for pattern in NO_SCHEMA_SAYS)]
    assert not unknown, f"The document allows what is refused: {unknown[:3]}"
