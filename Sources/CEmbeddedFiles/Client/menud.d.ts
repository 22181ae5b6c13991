// The types of menud.js.

export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue }
/** A value whose text is kept: objects are maps, and some numbers are numerals. */
export type ExactValue = null | boolean | number | string | Numeral | ExactValue[] | ExactObject
export interface ExactObject extends Map<string, ExactValue> {}

/** A number whose text JavaScript would write differently: 5.0, or an integer beyond 2^53. */
export class Numeral {
  constructor(text: string)
  readonly text: string
  valueOf(): number
  toJSON(): number
}

export function parse(text: string): ExactValue
/** Writes JSON; throws a `Problem` for what JSON does not have, such as NaN. */
export function write(value: unknown): string
/** The value with plain objects and numbers; with `isExact`, integers beyond 2^53 stay numerals. */
export function plain(value: ExactValue, isExact?: false): JSONValue
export function plain(value: ExactValue, isExact: boolean): unknown
/** Applies an operation of a JSON Patch; returns the new value, which shares its unchanged parts with the old one. */
export function edit(root: ExactValue, operation: ExactObject, prefix?: string[]): ExactValue
export function merge(target: ExactValue, patch: ExactValue): ExactValue
/** Applies a change from an answer or an event to a session's document; returns the new document. */
export function apply(document: ExactObject, change: ExactObject): ExactObject

export type Modifier = 'command' | 'shift' | 'alternate' | 'control' | 'alphaShift' | 'numericPad'
export interface Key { input: string; modifiers?: Modifier[] }
/** The key of a command, which may differ by platform: `keyOn` returns that of one. */
export type CommandKey = Key | Key[] | { apple?: Key | Key[]; other?: Key | Key[] }
export type Reason =
  | 'enabled' | 'noTarget' | 'noAction' | 'ruleFalse' | 'ruleError' | 'declaredDisabled' | 'cycle'
  | 'unknownCommand' | 'unknownItem' | 'noHandler' | 'recorded' | 'proxiedGone' | 'noMatch' | 'pending'
export type Attribute = 'disabled' | 'destructive' | 'hidden' | 'keepsMenuPresented'

/** A question of the search, its answer, its rule, and a sentence about it. */
export interface TraceStep {
  asked: string
  question: string
  selector?: string
  answer: unknown
  rule: string
  says: string
  explanation?: string[]
}

/** The question to ask a person before a command is performed. */
export interface Confirmation {
  title: string
  message?: string
  /** The title of the button; by default that of the item. */
  button?: string
}

export interface Item {
  command: string
  /** The key of an item from data, which `perform` names too. */
  itemKey?: string
  title: string
  subtitle?: string
  image?: string
  discoverabilityTitle?: string
  /** True if it cannot be performed without parameters. */
  needsParameters?: boolean
  enabled: boolean
  state: 'off' | 'on' | 'mixed'
  /** True if it can have a check mark, even if it has none now. */
  checkable?: boolean
  attributes: Attribute[]
  target: string | null
  proxied?: string
  reason: Reason
  /** The index of the precondition that disables it. */
  requirement?: number
  /** Why it is disabled, in words for people. */
  explanation?: string
  /** The question to ask before it is performed. */
  confirmation?: Confirmation
  error?: { message: string }
  trace?: TraceStep[]
}
export interface MenuItem extends Item {
  key?: CommandKey
  alternate?: { modifiers: Modifier[]; action: string }
  alternates?: MenuItem[]
}
/** A change of a session, or a refusal, with the members of what was asked and of what came of it (T5). */
export interface HistoryEntry {
  revision: number
  time: string
  kind: 'command' | 'operations' | 'refusal'
  actor: { kind: string; label: string }
  command?: string
  title?: string
  parameters?: any
  action?: string
  operations?: { op: string; [member: string]: any }[]
  target?: string
  reason?: string
  explanation?: string
  changes?: any[]
  deliveries?: number[]
  undoName?: string
  token?: number
  [member: string]: any
}

export interface Menu {
  identifier: string
  title: string
  image?: string
  options: ('displayInline' | 'destructive' | 'singleSelection' | 'displayAsPalette')[]
  enabled: boolean
  /** The rules of items from data that failed. */
  errors?: { message: string; [member: string]: any }[]
  children: (Menu | MenuItem)[]
}
/** The form of a command: its item, and the schema of its parameters as it is now. */
export interface Form extends Item {
  session: string
  revision: number
  catalogRevision: number
  /** A JSON Schema with the present choices, and with values to begin with as `default`. */
  schema: { type: 'object'; properties?: { [name: string]: any }; required?: string[]; [keyword: string]: any }
  /** The rules for choices and first values that failed. `place` is `choices/NAME` or `defaults/NAME`. */
  errors?: { place: string; message: string; [member: string]: any }[]
}
/** An item found by a search. `ranges` are in UTF-16 units of its title. */
export interface FoundItem extends MenuItem {
  menus: string[]
  score: number
  typos: number
  ranges: [start: number, end: number][]
}
export interface SearchOptions {
  /** The maximum number of items in a page, up to 100; the default is 20. */
  limit?: number
  /** The number of items before the page. */
  offset?: number
  /** True if disabled commands are included. */
  disabled?: boolean
  window?: string
}
export interface SearchPage {
  session: string
  revision: number
  catalogRevision: number
  /** The number of all matching commands. */
  total: number
  /** The offset of the next page; absent on the last one. */
  next?: number
  items: FoundItem[]
}

export interface Responder {
  kind: string
  class?: string
  properties?: { [name: string]: JSONValue }
  handlers?: { [selector: string]: unknown }
  [member: string]: unknown
}
export interface SessionDocument {
  session: string
  revision: number
  state: { [name: string]: any }
  firstResponder: string | null
  responders: { [id: string]: Responder }
  [member: string]: unknown
}
export interface Change { change: string; [member: string]: unknown }
export interface Changed {
  session: string
  revision: number
  changes: Change[]
  dryRun?: boolean
  /** The places that undoing left unchanged, since they were patched meanwhile (U4). */
  kept?: string[]
  /** The recorded messages that failed when they were to be undone; `detail` is the reason (U4). */
  failed?: { target: string; action: string; detail: string; [member: string]: unknown }[]
  [member: string]: unknown
}
export interface Performed extends Changed {
  /** The plan of a dry run, for `performPlan`, and the time up to which it can be performed. */
  plan?: string
  planExpires?: string
  performed: boolean
  reason: Reason
  action: string
  target: string | null
  events: unknown[]
  /** The command's item, if requested with `item: true`. */
  item?: { before?: Item; after?: Item }
  result?: unknown
  trace?: TraceStep[]
}
export interface Undone extends Changed {
  /** The responder that owns the stack; null for the session's. */
  responder: string | null
  undone?: boolean
  redone?: boolean
  actionName?: string
}

/** A request without an answer: the connection failed, or the timeout passed. `cause` is the platform's error. */
export class Unreached extends Error {}

/** True if an error is a final answer: a retry would have the same result. */
export function isRefusal(error: unknown): boolean

/** A request that was refused (RFC 9457). */
export class Problem extends Error {
  constructor(status: number, document: { [member: string]: any }, retryAfter?: number)
  readonly status: number
  /** The seconds after which a busy server wants to be asked again (`Retry-After`); 0 without any. */
  readonly retryAfter: number
  readonly type?: string
  readonly title?: string
  /** The reason for which an item is disabled. */
  readonly reason?: Reason
  /** Why it is disabled, in words for people. */
  readonly explanation?: string
  /** The question to ask before the command is performed with `confirmed`. */
  readonly confirmation?: Confirmation
  /** The part of the request to blame. */
  readonly pointer?: string
  readonly errors: { pointer: string; detail: string }[]
  /** The mistakes of a command's parameters by their names; those of none have the name ''. */
  readonly fields: { [name: string]: string[] }
  readonly document: { [member: string]: any }
}

export class Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON; null without a body. Throws `Unreached` if it is no JSON: something else answered. */
  readonly body: any
  readonly exact: ExactValue
}

export interface RequestOptions {
  /** A list becomes one word with commas in it. */
  query?: { [name: string]: string | number | boolean | string[] | undefined }
  body?: unknown
  type?: string
  headers?: { [name: string]: string }
  /** The idempotency key; the default is a new one. */
  key?: string
  signal?: AbortSignal
  /** The seconds for which the answer may wait (`Prefer: wait`), rounded up; the server waits for 25 at most by default. */
  wait?: number
  /** The timeout in seconds; the default is the client's. */
  timeout?: number
  /** True if it changes nothing, although it is a POST. */
  isQuestion?: boolean
}
export interface SentRequest { method: string; path: string; body?: string; type: string }

export interface ClientOptions {
  token?: string
  fetch?: typeof fetch
  /** The maximum number of attempts; the default is 6. */
  attempts?: number
  /** The timeout of a request in seconds, over all attempts; the default is 30. */
  timeout?: number
  /** False if it has streams of its own, not shared with other tabs. */
  shares?: boolean
}
export class Client {
  constructor(url: string | URL, options?: ClientOptions)
  readonly url: string
  token?: string
  readonly timeout: number
  /** Called after each answer. */
  readonly observers: Set<(request: SentRequest, response: Response, text: string) => void>
  request(method: string, path: string | string[], options?: RequestOptions): Promise<Answer>
  get(path: string | string[], query?: RequestOptions['query'], options?: RequestOptions): Promise<Answer>
  /** Sends a POST that changes nothing, and returns the body of the answer. */
  ask(path: string | string[], body: unknown, options?: RequestOptions): Promise<any>
  /** A path with a query, escaped. */
  path(parts: string | string[], query?: RequestOptions['query']): string
  /** Returns an open session; sends no request. */
  session(id: string): Session
  /** Opens a session. */
  open(opening?: { id?: string; state?: unknown; [member: string]: unknown }): Promise<Session>
  /** Opens a session, or joins it if it is open already. */
  join(id: string, opening?: { [member: string]: unknown }): Promise<Session>
  sessions(): Promise<{ session: string; revision: number; firstResponder: string | null; [member: string]: any }[]>
  commands(): Promise<{ id: string; title: string; action: string; key?: CommandKey; [member: string]: any }[]>
  keymaps(): Promise<string[]>
  /** The entries of a keymap, and its tag for `If-Match`; `default` stands for the keys of the commands. */
  keymap(name: string, options?: { isMac?: boolean }): Promise<{ name: string; entries: KeymapEntry[]; tag: string }>
  /** The tags of the languages among which a session can choose. */
  locales(): Promise<string[]>
  putKeymap(name: string, entries: KeymapEntry[], options?: ChangeOptions): Promise<{ name: string; entries: KeymapEntry[]; remarks?: { pointer: string; detail: string }[] }>
  removeKeymap(name: string, options?: ChangeOptions): Promise<void>
  classes(): Promise<{ name: string; superclass: string | null; [member: string]: any }[]>
  checkRule(rule: string, variables?: unknown, options?: { explain?: boolean }): Promise<any>
}

export interface ChangeOptions {
  dryRun?: boolean
  explain?: boolean
  key?: string
  signal?: AbortSignal
  headers?: { [name: string]: string }
  /** The timeout in seconds from the call on, including the time in the queue; the default is the client's. */
  timeout?: number
}
/** The start of searches: by default the first responder, in the key window. */
export interface Origin {
  from?: string
  /** The window treated as key. */
  window?: string
}
export interface PerformOptions extends ChangeOptions, Origin {
  /** The key of an item from data, which brings its own parameters. */
  itemKey?: string
  arguments?: unknown[]
  parameters?: { [name: string]: unknown }
  sender?: { [name: string]: unknown }
  to?: string
  modifiers?: Modifier[]
  /** True if the answer includes the command's item, before and after. */
  item?: boolean
  /** True if a person agreed to the command's confirmation. */
  confirmed?: boolean
  /** The seconds for which the answer waits until all deliveries are settled; 25 at most by default. */
  wait?: number
}
/** Asks a person about a command that needs a confirmation; true to perform it. */
export interface Confirming { confirm: (confirmation: Confirmation) => boolean | Promise<boolean> }

export class Session {
  readonly client: Client
  readonly id: string
  path(...parts: string[]): string[]
  /** Sends a change of the session once earlier ones are answered: changes are made in the order of the calls. */
  change(method: string, parts: string | string[], body?: unknown, options?: ChangeOptions & { type?: string; query?: RequestOptions['query'] }): Promise<any>
  document(): Promise<SessionDocument>
  menu(options?: { menu?: string; kind?: 'main' | 'context'; modifiers?: Modifier[]; explain?: boolean } & Origin): Promise<{ menu: Menu; revision: number }>
  chain(options?: { action?: string } & Origin): Promise<any>
  undoManagers(): Promise<any>
  history(options?: {
    limit?: number; cursor?: string; after?: number; actor?: string; command?: string; kind?: string
  }): Promise<{ entries: HistoryEntry[]; since: number; next?: string; revision: number }>
  touchBar(options?: { explain?: boolean } & Origin): Promise<any>
  /** The form of a command; in it, an integer beyond 2^53 is a `Numeral`. */
  form(command: string, options?: { modifiers?: Modifier[] } & Origin): Promise<Form>
  /** The keys that mean something now, in order. */
  keys(options?: { isMac?: boolean } & Origin): Promise<SessionKey[]>
  userActivity(options?: { explain?: boolean } & Origin): Promise<any>
  diagnostics(): Promise<any>
  messages(): Promise<any>
  keyConflicts(options?: Origin): Promise<any[]>
  validate(commands?: string[], options?: { modifiers?: Modifier[]; explain?: boolean; sender?: unknown } & Origin): Promise<Item[]>
  /** The answers to `validate` after each list of mutations; nothing is kept. */
  assume(assuming: { op: string; [member: string]: unknown }[][], commands?: string[], options?: { modifiers?: Modifier[]; sender?: unknown } & Origin): Promise<{ revision: number; items?: Item[]; problem?: { type: string; [member: string]: any } }[]>
  target(action: string, options?: { chain?: string; sender?: unknown } & Origin): Promise<any>
  resolve(key: Key, options?: { explain?: boolean; sender?: unknown; isMac?: boolean } & Origin): Promise<any>
  /** The matching commands, the best first. */
  search(query: string, options?: SearchOptions): Promise<FoundItem[]>
  /** The matching commands as a page, with the total and the next offset. */
  searchPage(query: string, options?: SearchOptions): Promise<SearchPage>
  /** Performs a command; undefined if `confirm` is asked, and answers false. */
  perform(command: string, options?: PerformOptions & { confirm?: undefined }): Promise<Performed>
  perform(command: string, options: PerformOptions & Confirming): Promise<Performed | undefined>
  /** Does exactly what the dry run showed that answered this plan, once; else throws a `Problem` with a new plan. */
  performPlan(plan: string, options?: ChangeOptions & { confirmed?: boolean; item?: boolean; wait?: number } & Partial<Confirming>): Promise<Performed | undefined>
  send(action: string, options?: PerformOptions): Promise<Performed>
  /**
   * Presses a key; undefined if it has no effect here: no command matches, the command is disabled, or `confirm`
   * answers false. With `throws` the refusal of the key or the command is thrown.
   */
  press(event: KeyboardEvent | Key | Key[], options?: { layout?: KeyLayout; isMac?: boolean; final?: boolean; throws?: boolean } & PerformOptions & Partial<Confirming>): Promise<Performed | undefined>
  /** Names the keymap of the session, or null for none. */
  useKeymap(keymap: string | null, options?: ChangeOptions): Promise<Changed>
  /** Sets the language of the session's texts, or null for those that are declared. */
  setLocale(locale: string | null, options?: ChangeOptions): Promise<Changed>
  /** Moves focus; with `window` in a window that need not be key. */
  focus(responder: string | null, options?: ChangeOptions & { window?: string }): Promise<Changed>
  /**
   * Changes the state by a JSON Patch, which is an array, or else by a JSON Merge Patch (RFC 7396), in which null
   * removes a member. With `undo` it is registered as an undo group of that name; with `coalesce` it joins the
   * previous group with the same key. `window` names the window whose undo manager registers it.
   */
  patch(patch: unknown, options?: ChangeOptions & { undo?: string; coalesce?: string; window?: string }): Promise<Changed>
  mutate(mutations: { op: string; [member: string]: unknown }[], options?: ChangeOptions): Promise<{ revision: number; outcomes: unknown[] }>
  undo(options?: ChangeOptions & { responder?: string }): Promise<Undone>
  redo(options?: ChangeOptions & { responder?: string }): Promise<Undone>
  close(options?: ChangeOptions): Promise<void>
  /** Follows parts of the session; resolves with a mirror that has its contents. */
  follow(what?: Followed): Promise<Mirror>
  deliveries(options?: DeliveryOptions): Deliveries
}

/** A key, and what it means now: a command, or the action of a responder's key command. */
export interface SessionKey {
  strokes: Key[]
  command?: string
  responder?: string
  alternate?: Modifier[]
  action?: string
  title?: string
  discoverabilityTitle?: string
  /** True if it cannot be performed without parameters, which a key does not give. */
  needsParameters?: boolean
  /** Absent for a key that is not for this token; so are `target` and `reason`. */
  enabled?: boolean
  target?: string | null
  reason?: string
  explanation?: string
  confirmation?: Confirmation
  [member: string]: any
}

/** The meaning of strokes: the key that they are, if there is one, and the longer ones that begin with them. */
export type KeyMeaning = Partial<SessionKey> & { continuations: SessionKey[] }

/** An entry of a keymap: `key` as VS Code's keybindings write it, and a command, with `-` before it to take the key away. */
export interface KeymapEntry { key?: string; command: string; parameters?: Record<string, unknown>; when?: string }

export interface Followed {
  document?: boolean
  /** True for the main menu, or the name of another menu. */
  menu?: boolean | string
  kind?: 'main' | 'context'
  commands?: string[]
  modifiers?: Modifier[]
  /** The responder at which searches for menu and items begin; the default is the first responder. */
  from?: string
  /** The window treated as key. */
  window?: string
  /** True for the keys that mean something, those of the page's platform or of `isMac`. */
  keys?: boolean
  isMac?: boolean
  /** True for the tools that the session's agents list with `?tools=enabled`. */
  tools?: boolean
  /** The states of deliveries to include. */
  deliveries?: Delivery['state'][]
  /** The seconds after which a silent connection counts as broken; the default is 45. */
  silence?: number
  /** True if it continues while the page is hidden. */
  background?: boolean
}

/** A tool, as the Model Context Protocol has it. */
export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: Record<string, any>
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean }
  _meta: { 'menud/command': string }
}

/** An event of a mirror. */
export interface MirrorEvent extends Event {
  /** The data of the service's event. */
  told?: { revision: number; changes?: Change[]; menuEdits?: unknown[]; items?: Item[] | null; [member: string]: unknown }
  reason?: string
}

/** A copy of a session, updated by events. */
export class Mirror extends EventTarget {
  readonly session: Session
  readonly revision: number
  readonly catalogRevision: number
  readonly isConnected: boolean
  readonly isClosed: boolean
  /** True if it is paused, since the page is hidden; it catches up when the page is shown. */
  readonly isPaused: boolean
  readonly reason?: string
  /** The refusal, if the mirror was refused. */
  readonly error?: Problem
  readonly document?: SessionDocument
  readonly state?: SessionDocument['state']
  readonly menu?: Menu
  // Unchanged parts are identical from event to event. They must not be modified.
  readonly items: Item[]
  /** The deliveries in the requested states, ordered by id. */
  readonly deliveries: Delivery[]
  item(command: string): Item | undefined
  /** The keys that mean something, in order; with `keys` among the parts. */
  readonly keys: SessionKey[]
  /** The tools that the session's agents list with `?tools=enabled`; with `tools` among the parts. */
  readonly tools: Tool[]
  /** The strokes of a key that `handle` has begun, and the keys that continue them. */
  readonly strokes: Key[]
  readonly continuations: SessionKey[]
  /** Ends a key that `handle` has begun; nothing is pressed. */
  endStrokes(): void
  /** The meaning of an event, without asking: the first enabled key that matches, and those that it begins. */
  means(event: KeyboardEvent | Key | Key[], options?: { layout?: KeyLayout; isMac?: boolean }): KeyMeaning | undefined
  /** The key that an event means, as `press` takes it. */
  reads(event: KeyboardEvent | Key | Key[], options?: { layout?: KeyLayout; isMac?: boolean }): Key | Key[] | undefined
  /**
   * Presses the key of an event, if it means something, and prevents what the browser would do. Returns the result of
   * `press`; undefined if the event is not for menud, somebody has prevented it, or it is typed in a field without command
   * or control. A key that longer ones begin with waits for the next stroke: `timeout` milliseconds (1000) if it means
   * something itself, else `patience` milliseconds (5000).
   */
  handle(event: KeyboardEvent, options?: { layout?: KeyLayout; isMac?: boolean; timeout?: number; patience?: number; press?: (key: Key | Key[], options: { isMac?: boolean; final: true }) => Promise<any> } & PerformOptions & Partial<Confirming>): Promise<Performed | undefined> | undefined
  /** Calls a function after each event, until the returned function is called (`useSyncExternalStore`). */
  readonly subscribe: (listener: () => void) => () => void
  /** The text of `GET /sessions/{session}`, to the byte. */
  readonly documentText: string
  /** The text of the member `menu` of `GET /sessions/{session}/menu`, to the byte. */
  readonly menuText: string
  readonly exact: { document?: ExactObject; menu?: ExactObject | null; items: Map<string, ExactObject>; keys?: ExactObject[] | null; tools?: ExactObject[] | null; deliveries: ExactObject[] }
  /** Resolves once it has a revision, such as that of an answer. */
  reaches(revision: number): Promise<void>
  close(): void
  addEventListener(type: 'reset' | 'change' | 'closed' | 'connection', listener: (event: MirrorEvent) => void, options?: AddEventListenerOptions): void
}

/** The result of `navigator.keyboard.getLayoutMap()`: the character of a key, by its code. */
export interface KeyLayout { get(code: string): string | undefined }
/** The possible keys of an event, the likeliest first. */
export function keysOf(event: KeyboardEvent, options?: { layout?: KeyLayout; isMac?: boolean }): Key[]
/** True if an event is in a field that takes text or choices, also in one of a shadow tree. */
export function isInField(event: Event): boolean
export function modifiersOf(event: KeyboardEvent | MouseEvent, isMac?: boolean): Modifier[]
/** The key on the page's platform, or on that of `isMac`; undefined without one. */
export function keyOn(key: CommandKey | undefined, options?: { isMac?: boolean }): Key | Key[] | undefined
/** A key as menus of the platform show it: ⌥⇧⌘X on Apple's, Ctrl+Alt+Shift+X elsewhere. Empty without a key. */
export function symbolsOf(key: CommandKey | undefined, options?: { isMac?: boolean }): string
/** True if a pressed key is the declared one (K4). */
export function matchesKey(declared: Key, pressed: Key): boolean
/** Tells if pressed strokes are the declared ones, or their beginning. */
export function matchesStrokes(declared: Key[], pressed: Key[]): 'whole' | 'beginning' | undefined
/** The text of a key as keymaps write it: `ctrl+k ctrl+s`. */
export function textOfKey(key: Key | Key[], options?: { isMac?: boolean }): string

/** All items of a menu, in order, with the titles of the menus around each. */
export function itemsIn(menu: Menu | undefined): Generator<{ item: MenuItem; titles: string[] }>
/** The item while modifiers are pressed: one of its alternates, or itself. */
export function shown(item: MenuItem, held: Modifier[]): MenuItem

export interface DeliveryOptions {
  /** A worker name that other clients see. */
  by?: string
  /** The commands whose deliveries are claimed; the default is all. */
  commands?: string[]
}
export interface Delivery {
  id: number
  command: string | null
  title: string | null
  value: any
  state: 'open' | 'claimed' | 'cancelling' | 'replied' | 'failed' | 'cancelled'
  claim: {
    number: number; by: string | null; until: string
    /** The part of the work that is done, from 0 to 1, and a text about it; null until the worker tells them. */
    progress: number | null; message: string | null
  } | null
  /** The worker that settled it: the name in the claim. */
  settledBy: string | null
  result: any
  problem: { [member: string]: any } | null
  [member: string]: any
}
export interface Reply {
  result?: unknown
  mutations?: { op: string; [member: string]: unknown }[]
  /** False if the mutations are not registered for undo. */
  undo?: boolean
}
/** The work on one delivery. */
export interface Work {
  /** Aborts when the delivery is to be cancelled, or its claim is lost. If the handler throws then, it gives the work up. */
  signal: AbortSignal
  /**
   * Tells the part of the work that is done, from 0 to 1, and a text of at most 1,024 bytes about it; at most four times a
   * second. A longer text is not told.
   */
  progress(part: number, message?: string): void
}
/** The deliveries of a session to the application. Their changes do not wait for other changes of the session. */
export class Deliveries {
  constructor(session: Session, options?: DeliveryOptions)
  /** All deliveries, or those in a state, or in several states separated by commas. */
  list(options?: { state?: string; command?: string }): Promise<Delivery[]>
  get(id: number): Promise<Delivery>
  /** Claims the first open delivery; undefined if there is none within `wait` seconds, at most 25 by default. */
  next(options?: { wait?: number; signal?: AbortSignal }): Promise<Delivery | undefined>
  claim(id: number, options?: ChangeOptions): Promise<Delivery>
  renew(delivery: Delivery, told?: { progress?: number; message?: string }, options?: ChangeOptions): Promise<Delivery>
  reply(delivery: Delivery, reply?: Reply, options?: ChangeOptions): Promise<Delivery>
  fail(delivery: Delivery, problem: { [member: string]: unknown }, options?: ChangeOptions): Promise<Delivery>
  /** Cancels an open delivery, or asks the worker of a claimed one to give it up. */
  cancel(id: number, options?: ChangeOptions): Promise<Delivery>
  /** Cancels a delivery as its worker. */
  giveUp(delivery: Delivery, options?: ChangeOptions): Promise<Delivery>
  /** Works until it is aborted or the session is closed: claims, calls `handle`, and settles. */
  work(handle: (delivery: Delivery, work: Work) => Promise<Reply | void> | Reply | void, options?: { signal?: AbortSignal }): Promise<void>
}

export interface TrackOptions {
  /** The responder that the outermost ones are in; the default is the session's key window. */
  under?: string
  /** A window of the page's own, which is opened if the session does not have it: focus is that window's (R11). */
  window?: string
  /**
   * A mirror with the document: focus that another window has changed is focused here too, and responders that it has removed
   * are declared again at once.
   */
  mirror?: Mirror
  /** The milliseconds for which changes are collected; the default is 16. */
  delay?: number
  /** Elements that are no responders while they have focus; the default is menus and tool bars. */
  ignore?: string
  /** Is called with what was refused; the default is `reportError`. */
  onError?: (error: Error) => void
}
/**
 * Tells a session of the elements with `data-responder` (and `data-class`, `data-kind`, `data-next`) in a part of a page, and
 * of its focus, in one request for all that changes at a time; what is refused is left out. The function that it returns
 * ends it, and removes the responders; its `flush` sends what has changed at once.
 */
export function track(root: HTMLElement, session: Session, options?: TrackOptions): (() => Promise<void>) & { flush(): Promise<void> }
