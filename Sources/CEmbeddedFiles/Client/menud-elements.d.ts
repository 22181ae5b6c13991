// The types of menud-elements.js.

import type { Client, Item, JSONValue, Key, Mirror, Modifier, Performed, Session } from './menud.js'

/** The part that elements of one session share. A page with other ways to tell and to repeat extends it. */
export class SessionView extends EventTarget {
  constructor(session?: Session)
  /** The view of a session, or of a mirror that the page has; always the same one. */
  static of(session: Session, mirror?: Mirror): SessionView
  session?: Session
  readonly mirror?: Mirror
  /** Why nothing can be performed now, in words; undefined if the session is followed. */
  readonly hindrance?: string
  /** Returns the address of an image by its name. */
  imageOf?: (name: string) => string | undefined
  /** Shows a mirror with document, menu and keys, of this session or another one. */
  show(mirror: Mirror | undefined): void
  itemOf(command: string, itemKey?: string): Item | undefined
  /** Why an item is disabled, also without a connection, in words; undefined if it can be performed. */
  whyNot(item: Item): string | undefined
  isEnabled(item: Item): boolean
  /** Performs a command: asks for its parameters, and for its confirmation. Undefined if it was not performed. */
  perform(command: string, details?: { itemKey?: string; modifiers?: Modifier[]; itemTitle?: string; asks?: boolean; from?: Element; origin?: string }): Promise<Performed | undefined> | undefined
  press(key: Key | Key[], details?: { from?: Element }): Promise<Performed | undefined>
  /** Makes a change; by default it is refused in words without a connection. */
  change(what: string, send: (options: object) => Promise<any>, asked?: { from?: Element; command?: string; itemKey?: string }): Promise<any>
  /** Runs a person's request; by default a refusal is `menud-refused`, and said. */
  doing(what: string | undefined, work: () => Promise<any>, asked?: { from?: Element; command?: string; itemKey?: string }): Promise<any>
  /** Says something to the person. */
  notice(title: string, detail?: string): void
}

export interface SessionElement extends HTMLElement {
  /** The session that it shows; the default is that of the `menud-session` in `for`, or around it. */
  session?: Session
  /** A mirror with document, menu and keys that the page has already. */
  mirror?: Mirror
  view?: SessionView
}

/** `menud-session`: attributes `server`, `name`, `images`. */
export class MenudSession extends HTMLElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
  token?: string
  client?: Client
  /** Resolves once it has a session. */
  readonly begun: Promise<void>
  readonly server: string
  readonly name: string
}
/** `menud-menu-bar`: attributes `for`, `label`, `inspects`. */
export class MenuBar extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
  /** Opens the menus of a path of identifiers, and no others. */
  open(path: string[]): void
  close(returnsFocus?: boolean): void
}
/** `menud-context-menu`: attributes `for`, `manual`, `inspects`. */
export class ContextMenu extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
  /** Opens it at a place in the window, for a responder or the focused one. */
  openAt(x: number, y: number, options?: { from?: string }): Promise<void>
  close(returnsFocus?: boolean): void
}
/** `menud-tool-bar`: attributes `for`, `label`, `commands`, `inspects`. */
export class ToolBar extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
  get commands(): string[]
  set commands(commands: string[] | undefined)
}
/** `menud-touch-bar`: attributes `for`, `label`, `inspects`. */
export class TouchBar extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
}
/** `menud-button`: attributes `for`, `command`, `item-key`, `inspects`. */
export class Button extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
  command: string
  readonly item?: Item
}
/** `menud-palette`: attributes `for`, `no-shortcut`, `inspects`. */
export class Palette extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
  open(): Promise<void>
  close(): void
}
/** `menud-keys`: attributes `for`, `no-sheet`. */
export class Keys extends HTMLElement implements SessionElement {
  session?: Session
  mirror?: Mirror
  view?: SessionView
}

/** The words of the elements; a page in another language replaces members. */
export const words: { [name: string]: any }
/** Why an item is disabled, by its reason. */
export const reasons: { [reason: string]: string }
/** Asks a person in a dialog; resolves with the result of `read`, or undefined. */
export function ask<Value>(question: { title: string; detail?: string; fields?: Node; action: string; read: (form: HTMLFormElement) => Value; view?: SessionView }): Promise<Value | undefined>
/** Shows the form of a command's parameters until `send` answers, or it is dismissed. A refusal is said in the form. */
export function askParameters<Value>(question: { title: string; description?: string; schema: object; errors?: object[]; action?: string; send: (parameters: { [name: string]: JSONValue }) => Promise<Value>; view?: SessionView }): Promise<Value | undefined>

export interface PerformDetail { command: string; itemKey?: string; modifiers?: Modifier[] }
export interface PerformedDetail { command?: string; itemKey?: string; key?: Key | Key[]; answer: Performed }
export interface RefusedDetail { command?: string; itemKey?: string; problem: Error; title: string; detail: string }

declare global {
  interface HTMLElementTagNameMap {
    'menud-session': MenudSession
    'menud-menu-bar': MenuBar
    'menud-context-menu': ContextMenu
    'menud-tool-bar': ToolBar
    'menud-touch-bar': TouchBar
    'menud-button': Button
    'menud-palette': Palette
    'menud-keys': Keys
  }
  interface HTMLElementEventMap {
    'menud-perform': CustomEvent<PerformDetail>
    'menud-performed': CustomEvent<PerformedDetail>
    'menud-refused': CustomEvent<RefusedDetail>
    'menud-inspect': CustomEvent<PerformDetail & { item: Item }>
    'menud-key': CustomEvent<{ event: KeyboardEvent }>
  }
}
