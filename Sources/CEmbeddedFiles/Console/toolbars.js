// The commands that the user chose for the tool bar, by session.

export class Pins {
  constructor(app, bar) {
    this.app = app
    this.bar = bar
  }

  get #key() { return `menud.tools.${this.app.session.id}` }

  /** The commands in the tool bar. */
  get pinned() { return this.bar.commands }

  /** The chosen commands; undefined if there are none, or the stored value is malformed. */
  get #kept() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#key))
      return Array.isArray(kept) ? kept : undefined
    } catch {
      return undefined
    }
  }

  /** Shows the commands of the session. */
  show() { this.bar.commands = this.app.session && this.#kept }

  toggle(command) {
    const { pinned } = this
    localStorage.setItem(
      this.#key,
      JSON.stringify(pinned.includes(command) ? pinned.filter((other) => other !== command) : [...pinned, command]),
    )
    this.show()
  }
}
