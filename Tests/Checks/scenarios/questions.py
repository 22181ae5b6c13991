"""Questions to the person: their forms, and what becomes of the answers."""

from agent_client import HANDSHAKES
from scenarios.check import MODERN, SINCE_NOVEMBER, accepted, converse, scenario

FORMS = {"elicitation": {}}
CHOICES = ("option1", "option2", "option3")


def expect_form(check, questions, count=1):
    """Each question is a form; returns the schemas of its values, and what of them is required."""
    check.expect(
        [question["method"] for question in questions] == ["elicitation/create"] * count, f"{questions}")
    check.expect(all(question["params"]["message"] for question in questions), f"{questions}")
    form = questions[-1]["params"]["requestedSchema"]
    check.expect(form["type"] == "object" and set(form["required"]) <= form["properties"].keys(), f"{form}")
    return form["properties"], form["required"]


@scenario("tools-call-elicitation", HANDSHAKES)
def elicitation(check):
    tool, arguments = "test_elicitation", {"message": "Please provide your information"}
    agent = check.agent(FORMS)
    answer = {"username": "testuser", "email": "test@example.com"}
    questions, result = converse(agent, tool, arguments, accepted(answer))
    values, required = expect_form(check, questions)
    check.expect(required == ["username", "email"] and values.keys() == answer.keys(), f"{values}")
    check.expect(all(one["type"] == "string" and one["description"] for one in values.values()), f"{values}")
    text = result["content"][0]["text"]
    check.expect("User response: testuser, test@example.com" in text, text)
    for action in ("decline", "cancel"):
        _, result = converse(agent, tool, arguments, {"action": action})
        told = result["structuredContent"]
        check.expect((told["performed"], told["reason"]) == (False, action), f"{result}")
        check.expect(result["content"][0]["text"], f"{result}")
    result = check.agent().call(tool, arguments).result
    check.expect(result["isError"] is True, f"who cannot be asked: {result}")


@scenario("elicitation-sep1034-defaults", SINCE_NOVEMBER)
def defaults(check):
    answer = {"name": "Jane Smith", "age": 25, "score": 88.0, "status": "inactive", "verified": False}
    questions, result = converse(
        check.agent(FORMS), "test_elicitation_sep1034_defaults", {}, accepted(answer))
    values, required = expect_form(check, questions)
    check.expect(set(required) == answer.keys(), f"{required}")
    wanted = {"name": ("string", "John Doe"), "age": ("integer", 30), "score": ("number", 95.5),
              "status": ("string", "active"), "verified": ("boolean", True)}
    for name, (kind, default) in wanted.items():
        told = (values[name]["type"], values[name]["default"])
        check.expect(told == (kind, default) and type(told[1]) is type(default), f"{name}: {told}")
    check.expect(values["status"]["enum"] == ["active", "inactive", "pending"], f"{values['status']}")
    text = result["content"][0]["text"]
    check.expect("Jane Smith is 25, inactive, scores 88, verified: false." in text, text)


@scenario("elicitation-sep1330-enums: all but enumNames", SINCE_NOVEMBER)
def choices(check):
    answer = {"untitledSingle": "option1", "titledSingle": "value1",
              "untitledMulti": ["option1", "option2"], "titledMulti": ["value1", "value2"]}
    questions, result = converse(
        check.agent(FORMS), "test_elicitation_sep1330_enums", {}, accepted(answer))
    values, required = expect_form(check, questions)
    check.expect(set(required) == answer.keys(), f"{required}")
    titled = lambda kind: [{"const": f"value{number}", "title": f"{name} {kind}"}
                           for number, name in enumerate(("First", "Second", "Third"), 1)]
    for name, schema in {
        "untitledSingle": {"type": "string", "enum": [*CHOICES]},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": [*CHOICES]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    }.items():
        check.expect(values[name] == schema, f"{name}: {values[name]}")
    text = result["content"][0]["text"]
    check.expect("Chosen: option1, value1, option1, option2, value1, value2" in text, text)


NAMED = "test_input_required_result_elicitation"


@scenario("input-required-result-result-type", MODERN)
def result_type(check):
    result = check.agent(FORMS).call(NAMED, {}).result
    check.expect(result["resultType"] == "input_required" and result["inputRequests"], f"{result}")
    check.expect("content" not in result, f"{result}")


@scenario("input-required-result-basic-elicitation, -ignore-extra-params: by the key that is asked", MODERN)
def basic(check):
    agent = check.agent(FORMS)
    first = agent.call(NAMED, {}).result
    [(key, question)] = first["inputRequests"].items()
    values, required = expect_form(check, [question])
    check.expect((values, required) == ({"name": {"type": "string"}}, ["name"]), f"{values}")
    answers = {key: accepted({"name": "Alice"}), "unknown_extra_key": accepted({"foo": "bar"}),
               "another_unexpected": accepted({"baz": 123})}
    result = agent.call(NAMED, {}, params={
        "requestState": first["requestState"], "inputResponses": answers}).result
    check.expect(result["resultType"] == "complete", f"{result}")
    check.expect("Hello, Alice!" in result["content"][0]["text"], f"{result}")


@scenario("input-required-result-missing-input-response, -validate-input", MODERN)
def wrong_answers(check):
    agent = check.agent(FORMS)
    first = agent.call(NAMED, {}).result
    [key] = first["inputRequests"].keys()
    state = {"requestState": first["requestState"]}
    for answers in ({"wrong_key": accepted({"data": "wrong"})}, {}, {"user_name": 12345}, {key: 12345}):
        # The suite answers before it is asked.
        for params in ({}, state):
            result = agent.call(NAMED, {}, params=params | {"inputResponses": answers}).result
            check.expect(result["resultType"] == "input_required", f"{answers}: {result}")
    for answers in (None, 5, []):
        result = agent.call(NAMED, {}, params={"inputResponses": answers}).result
        check.expect(result["resultType"] == "input_required", f"{answers}: {result}")
        reply = agent.call(NAMED, {}, params=state | {"inputResponses": answers})
        check.expect_error(reply, 400, -32602, f"{answers} to what was asked")


@scenario("input-required-result-request-state", MODERN)
def request_state(check):
    agent, tool = check.agent(FORMS), "test_input_required_result_request_state"
    first = agent.call(tool, {}).result
    check.expect(isinstance(first["requestState"], str) and first["requestState"], f"{first}")
    [(key, question)] = first["inputRequests"].items()
    values, required = expect_form(check, [question])
    check.expect((values, required) == ({"ok": {"type": "boolean"}}, ["ok"]), f"{values}")
    result = agent.call(tool, {}, params={
        "requestState": first["requestState"], "inputResponses": {key: accepted({"ok": True})}}).result
    check.expect(result["resultType"] == "complete", f"{result}")
    check.expect("state-ok" in result["content"][0]["text"], f"{result}")


@scenario("input-required-result-tampered-state", MODERN)
def tampered_state(check):
    agent, tool = check.agent(FORMS), "test_input_required_result_tampered_state"
    first = agent.call(tool, {}).result
    state, [key] = first["requestState"], first["inputRequests"].keys()
    answers = {key: accepted({"ok": True})}
    for wrong in (state + "-TAMPERED", state[:-1], "", 5):
        reply = agent.call(tool, {}, params={"requestState": wrong, "inputResponses": answers})
        check.expect_error(reply, 400, -32602, f"the state {wrong}")
    other = agent.call("test_input_required_result_request_state", {}, params={
        "requestState": state, "inputResponses": answers})
    check.expect_error(other, 400, -32602, "the state of another tool")
    result = agent.call(tool, {}, params={"requestState": state, "inputResponses": answers}).result
    check.expect("state-ok" in result["content"][0]["text"], f"{result}")


@scenario("input-required-result-multi-round: a form, and then agreement", MODERN)
def rounds(check):
    agent, tool = check.agent(FORMS), "confirm_delete"
    states, params = [], {}
    for content in ({"filename": "old.txt"}, {"confirm": True}, None):
        result = agent.call(tool, {}, params=params).result
        if content is None:
            break
        [(key, question)] = result["inputRequests"].items()
        values, _ = expect_form(check, [question])
        check.expect(values.keys() == content.keys(), f"{values}")
        states.append(result["requestState"])
        params = {"requestState": states[-1], "inputResponses": {key: accepted(content)}}
    check.expect(states[0] != states[1], f"{states}")
    check.expect(result["resultType"] == "complete", f"{result}")
    check.expect("old.txt would be deleted." in result["content"][0]["text"], f"{result}")


@scenario("input-required-result-unsupported-methods", MODERN)
def unsupported_methods(check):
    agent = check.agent(FORMS)
    for method in ("tools/list", "prompts/list", "resources/list", "server/discover"):
        result = agent.ask(method).result
        check.expect(result["resultType"] == "complete", f"{method}: {result['resultType']}")


@scenario("input-required-result-capability-check: nobody is asked who cannot be", MODERN)
def capabilities(check):
    for own in ({}, {"sampling": {}}, {"elicitation": {"url": {}}}):
        result = check.agent(own).call(NAMED, {}).result
        check.expect(result["resultType"] == "complete" and result["isError"] is True, f"{own}: {result}")
        check.expect("'name' is missing" in result["content"][0]["text"], f"{own}: {result}")


@scenario("server-stateless: test_streaming_elicitation", MODERN)
def no_requests(check):
    for own in ({}, FORMS):
        reply = check.agent(own).call("test_streaming_elicitation", {})
        check.expect(reply.messages and not [one for one in reply.messages if "method" in one], f"{reply.messages}")
