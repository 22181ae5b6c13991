// menud's answers from Node's own http server: a hundred commands, each handled by the nearest responder of
// a chain that has a handler for it, and validated by two functions of the session's state, written by hand.
//
//   node validate.mjs SESSION.JSON PORT      on 127.0.0.1, until SIGTERM
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [sessionFile, port] = process.argv.slice(2);
const template = JSON.parse(readFileSync(sessionFile, "utf8"));
const sessions = new Map();

const commands = Array.from({ length: 100 }, (_, number) => ({
  id: `command${number}:`,
  title: `Command ${number}`,
}));
const commandsById = new Map(commands.map((command) => [command.id, command]));

function handlers(first, count) {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return new Map(numbers.map((number) => [`command${number}:`, handler(number)]));
}

function handler(number) {
  const group = `group${Math.floor(number / 10)}`;
  const choice = number % 10;
  return {
    isEnabled: (state) => state[group].count > 0,
    isChecked: (state) => state[group].choice === choice,
  };
}

const classes = {
  Groups: handlers(0, 100),
  Place: handlers(0, 20),
  List: handlers(20, 20),
  Content: handlers(40, 20),
  Browser: handlers(60, 20),
  Window: handlers(80, 20),
};

class Responder {
  constructor(id, name) {
    this.id = id;
    this.handlers = classes[name];
    this.next = null;
  }
}

// The responders of a session by their names, each linked with the one that it passes on to.
function linked(descriptions) {
  const entries = Object.entries(descriptions);
  const responders = new Map(
    entries.map(([id, description]) => [id, new Responder(id, description.class)]));
  for (const [id, { superview, view, rootViewController }] of entries) {
    const responder = responders.get(id);
    if (superview) responder.next ??= responders.get(superview);
    if (view) responders.get(view).next = responder;
    if (rootViewController) responders.get(rootViewController).next = responder;
  }
  return responders;
}

function item(command, { state, responders, firstResponder }) {
  let responder = responders.get(firstResponder);
  while (responder && !responder.handlers?.has(command.id)) responder = responder.next;
  if (!responder) {
    return {
      command: command.id, title: command.title, enabled: false, state: "off", attributes: [],
      target: null, reason: "noTarget",
    };
  }
  const { isEnabled, isChecked } = responder.handlers.get(command.id);
  const enabled = isEnabled(state);
  return {
    command: command.id,
    title: command.title,
    enabled,
    state: isChecked(state) ? "on" : "off",
    attributes: enabled ? [] : ["disabled"],
    target: responder.id,
    reason: enabled ? "enabled" : "ruleFalse",
  };
}

function validate({ session: id, commands: wanted }) {
  const session = sessions.get(id);
  const asked = wanted ? wanted.map((id) => commandsById.get(id)) : commands;
  const items = asked.map((command) => item(command, session));
  return { session: id, revision: session.revision, catalogRevision: 0, items };
}

function submenu(identifier, title, children) {
  return { identifier, title, options: [], enabled: true, children };
}

function menu(id) {
  const session = sessions.get(id);
  const groups = Array.from({ length: 10 }, (_, group) => {
    const children = commands.slice(group * 10, group * 10 + 10);
    return submenu(
      `group${group}`, `Group ${group}`, children.map((command) => item(command, session)));
  });
  const root = submenu("root", "", groups);
  return { session: id, revision: session.revision, catalogRevision: 0, menu: root };
}

function open({ id, ...own }) {
  const { state, responders, firstResponder } = { ...template, ...own };
  sessions.set(id, {
    revision: 0, state: structuredClone(state), responders: linked(responders), firstResponder,
  });
  return { session: id, revision: 0 };
}

function close(id) {
  sessions.delete(id);
}

function merge(target, patch) {
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete target[name];
    else if (typeof value !== "object" || Array.isArray(value)) target[name] = value;
    else merge((target[name] ??= {}), value);
  }
}

function changed(id, ...members) {
  const session = sessions.get(id);
  session.revision += 1;
  return Object.assign({ session: id, revision: session.revision }, ...members);
}

function patch(id, changes) {
  merge(sessions.get(id).state, changes);
  return changed(id, { changes: [{ change: "mergedState", patch: changes }] });
}

function focus(id, { responder }) {
  sessions.get(id).firstResponder = responder;
  return changed(id, { responder, changes: [{ change: "firstResponder", responder }] });
}

function answer(method, path, body) {
  if (method === "GET" && path === "/health") return { status: "ok" };
  if (method === "POST" && path === "/commands/validate") return validate(body);
  if (method === "POST" && path === "/sessions") return open(body);
  const [, id, part] = path.match(/^\/sessions\/([^/]+)(?:\/(.+))?$/);
  if (method === "DELETE") return close(id);
  if (part === "menu") return menu(id);
  return part === "first-responder" ? focus(id, body) : patch(id, body);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const result = answer(request.method, request.url, body);
    if (result === undefined) {
      response.writeHead(204).end();
      return;
    }
    const text = JSON.stringify(result);
    response.writeHead(request.url === "/sessions" ? 201 : 200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    });
    response.end(text);
  });
});
server.listen(Number(port), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
