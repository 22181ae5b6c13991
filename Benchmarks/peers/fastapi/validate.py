"""menud's answers from FastAPI: a hundred commands, each handled by the nearest responder of a chain that
has a handler for it, and validated by two functions of the session's state, written by hand.

    validate.py default SESSION.JSON PORT    dictionaries are returned, FastAPI makes the response
    validate.py orjson SESSION.JSON PORT     orjson makes it

On 127.0.0.1 with uvloop and httptools, one process, until SIGTERM.
"""

import copy
import json
import sys

import orjson
import uvicorn
from fastapi import FastAPI, Request, Response
from pydantic import BaseModel

ENCODING, SESSION_FILE, PORT = sys.argv[1:]
with open(SESSION_FILE) as file:
    TEMPLATE = json.load(file)

app = FastAPI(openapi_url=None)
sessions = {}


class Command:
    def __init__(self, number):
        self.id = f"command{number}:"
        self.title = f"Command {number}"


COMMANDS = [Command(number) for number in range(100)]
COMMANDS_BY_ID = {command.id: command for command in COMMANDS}


class Handler:
    def __init__(self, number):
        group, choice = f"group{number // 10}", number % 10
        self.is_enabled = lambda state: state[group]["count"] > 0
        self.is_checked = lambda state: state[group]["choice"] == choice


def handlers(numbers):
    return {f"command{number}:": Handler(number) for number in numbers}


CLASSES = {
    "Groups": handlers(range(100)),
    "Place": handlers(range(20)),
    "List": handlers(range(20, 40)),
    "Content": handlers(range(40, 60)),
    "Browser": handlers(range(60, 80)),
    "Window": handlers(range(80, 100)),
}


class Responder:
    def __init__(self, id, name):
        self.id = id
        self.handlers = CLASSES.get(name, {})
        self.next = None


def linked(descriptions):
    """The responders of a session by their names, each linked with the one that it passes on to."""
    responders = {id: Responder(id, it.get("class")) for id, it in descriptions.items()}
    for id, description in descriptions.items():
        responder = responders[id]
        if superview := description.get("superview"):
            responder.next = responder.next or responders[superview]
        for member in ("view", "rootViewController"):
            if inner := description.get(member):
                responders[inner].next = responder
    return responders


class Session:
    def __init__(self, opening):
        self.revision = 0
        self.state = copy.deepcopy(opening.state or TEMPLATE["state"])
        self.responders = linked(opening.responders or TEMPLATE["responders"])
        self.first_responder = opening.firstResponder or TEMPLATE["firstResponder"]


class Validation(BaseModel):
    session: str
    commands: list[str] | None = None


class Opening(BaseModel):
    id: str
    state: dict | None = None
    responders: dict | None = None
    firstResponder: str | None = None


class Focus(BaseModel):
    responder: str


def encoded(answer, status=200):
    if ENCODING == "default":
        return answer
    return Response(orjson.dumps(answer), status, media_type="application/json")


def item(command, session):
    responder = session.responders[session.first_responder]
    while responder and command.id not in responder.handlers:
        responder = responder.next
    if responder is None:
        return {
            "command": command.id, "title": command.title, "enabled": False, "state": "off",
            "attributes": [], "target": None, "reason": "noTarget",
        }
    handler = responder.handlers[command.id]
    enabled = handler.is_enabled(session.state)
    return {
        "command": command.id,
        "title": command.title,
        "enabled": enabled,
        "state": "on" if handler.is_checked(session.state) else "off",
        "attributes": [] if enabled else ["disabled"],
        "target": responder.id,
        "reason": "enabled" if enabled else "ruleFalse",
    }


@app.post("/commands/validate")
async def validate(validation: Validation):
    session = sessions[validation.session]
    if validation.commands is None:
        asked = COMMANDS
    else:
        asked = [COMMANDS_BY_ID[id] for id in validation.commands]
    return encoded(
        {
            "session": validation.session,
            "revision": session.revision,
            "catalogRevision": 0,
            "items": [item(command, session) for command in asked],
        }
    )


@app.post("/sessions", status_code=201)
async def open_session(opening: Opening):
    sessions[opening.id] = Session(opening)
    return encoded({"session": opening.id, "revision": 0}, status=201)


@app.delete("/sessions/{id}", status_code=204)
async def close_session(id: str):
    del sessions[id]


def submenu(identifier, title, children):
    return {
        "identifier": identifier, "title": title, "options": [], "enabled": True,
        "children": children,
    }


@app.get("/sessions/{id}/menu")
async def menu(id: str):
    session = sessions[id]
    groups = [
        submenu(
            f"group{group}", f"Group {group}",
            [item(command, session) for command in COMMANDS[group * 10 : group * 10 + 10]],
        )
        for group in range(10)
    ]
    root = submenu("root", "", groups)
    return encoded({"session": id, "revision": session.revision, "catalogRevision": 0, "menu": root})


def changed(id, members):
    session = sessions[id]
    session.revision += 1
    return encoded({"session": id, "revision": session.revision} | members)


def merge(target, patch):
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        elif isinstance(value, dict):
            merge(target.setdefault(name, {}), value)
        else:
            target[name] = value


# The body is read by hand since its content type is not FastAPI's.
@app.patch("/sessions/{id}/state")
async def patch_state(id: str, request: Request):
    patch = orjson.loads(await request.body())
    merge(sessions[id].state, patch)
    return changed(id, {"changes": [{"change": "mergedState", "patch": patch}]})


@app.put("/sessions/{id}/first-responder")
async def move_focus(id: str, focus: Focus):
    sessions[id].first_responder = focus.responder
    change = {"change": "firstResponder", "responder": focus.responder}
    return changed(id, {"responder": focus.responder, "changes": [change]})


@app.get("/health")
async def health():
    return {"status": "ok"}


uvicorn.run(
    app, host="127.0.0.1", port=int(PORT), loop="uvloop", http="httptools", access_log=False,
    log_level="error",
)
