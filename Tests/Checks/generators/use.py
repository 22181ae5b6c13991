"""Asks a running menud through a generated client, and reads the document's examples by both generators'
models. The first argument is the folder with what was generated, the second the port."""

import json
import sys

sys.path.insert(0, sys.argv[1])

import menud_models  # noqa: E402
from menud_client import Client, models  # noqa: E402
from menud_client.api.commands import declare_command, perform_command, validate_commands  # noqa: E402
from menud_client.api.sessions import open_session  # noqa: E402

FAULTS = []


def expect(condition, text):
    if not condition:
        FAULTS.append(text)


def ask(port):
    """Opens a session, validates, performs, and is refused."""
    client = Client(base_url=f"http://127.0.0.1:{port}", raise_on_unexpected_status=True)
    opened = open_session.sync(client=client, body=models.SessionOpening(id="generated"))
    expect(isinstance(opened, models.Session) and opened.session == "generated", f"opened {opened}")
    validated = validate_commands.sync(
        client=client,
        body=models.ValidationRequest(session="generated", commands=["applyFiveStarRating:"]))
    expect(isinstance(validated, models.ValidationAnswer), f"validated {validated}")
    item = validated.items[0]
    expect(item.enabled and item.reason is models.Reason.ENABLED, f"validated {item}")
    performed = perform_command.sync(
        client=client,
        body=models.PerformRequest(session="generated", command="applyFiveStarRating:"))
    expect(isinstance(performed, models.PerformAnswer) and performed.performed,
           f"performed {performed}")
    expect(performed.revision == validated.revision + 1, f"revision {performed.revision}")
    again = perform_command.sync(
        client=client, body=models.PerformRequest(session="generated", invocation=performed.invocation))
    expect(isinstance(again, models.PerformAnswer), f"sent again {again}")
    problem = perform_command.sync(
        client=client,
        body=models.PerformRequest(session="nowhere", command="applyFiveStarRating:"))
    expect(isinstance(problem, models.Problem) and problem.status == 404
           and problem.type_.value == "/problems/unknown-session", f"refused with {problem}")
    lacking = declare_command.sync(
        command="new:", client=client, body=models.CommandDeclaration.from_dict(
            {"title": "New", "action": "9"}))
    expect(isinstance(lacking, models.Problem) and lacking.status == 422
           and lacking.pointer == "/action", f"refused with {lacking}")


def examples(document):
    """The examples of requests and answers with the names of their schemas."""
    for path in document["paths"].values():
        for operation in path.values():
            for body in [operation.get("requestBody", {}), *operation["responses"].values()]:
                for content in body.get("content", {}).values():
                    name = content["schema"]["$ref"].rsplit("/", 1)[1]
                    named = [value["value"] for value in content.get("examples", {}).values()]
                    for value in named or [content[key] for key in ("example",) if key in content]:
                        yield operation["operationId"], name, value


def differences(left, right, place=""):
    """Where two values of JSON differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in left.keys() | right.keys():
            if key not in left or key not in right:
                yield f"{place}/{key}"
            else:
                yield from differences(left[key], right[key], f"{place}/{key}")
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, pair in enumerate(zip(left, right)):
            yield from differences(*pair, f"{place}/{index}")
    elif left != right:
        yield place


def read_by_client(name, value):
    return getattr(models, name).from_dict(value).to_dict()


def read_by_models(name, value):
    model = getattr(menud_models, name).model_validate(value)
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


def read(document):
    """Reads every example and writes it again; nothing may be refused, lost or added."""
    count = 0
    for operation, name, value in examples(document):
        for tool, reader, knows in [
            ("openapi-python-client", read_by_client, hasattr(models, name)),
            ("datamodel-codegen", read_by_models, hasattr(menud_models, name)),
        ]:
            # Models are made of objects only; what is a list or one of several has none.
            if not knows:
                continue
            try:
                lost = list(differences(value, reader(name, value)))
            except Exception as error:  # noqa: BLE001
                lost = [f"{type(error).__name__}: {error}"]
            expect(not lost, f"{tool} misreads the example of {name} in {operation}: "
                             + ", ".join(sorted(lost)[:5]))
            count += 1
    return count


def main():
    with open(sys.argv[1] + "/openapi.json", encoding="utf-8") as file:
        document = json.load(file)
    ask(sys.argv[2])
    count = read(document)
    if FAULTS:
        sys.exit("\n".join(FAULTS))
    print(f"generators: 2 without a warning, 6 requests answered, {count} examples read, 0 faults")


main()
