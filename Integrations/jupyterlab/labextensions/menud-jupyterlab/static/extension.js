// The commands of a menud session in JupyterLab: in its registry of commands, its palette, and a menu of its main menu.

import { Client, itemsIn } from './client/menud.js'
import { SessionView } from './client/menud-elements.js'

/** The name of an item among a session's: its command, and its key if it is from data. */
const nameOf = ({ command, itemKey }) => JSON.stringify([command, itemKey])

/** Returns the plugin. `lab` has what JupyterLab shares: tokens of services, notifications and widgets. */
export const makePlugin = (id, lab) => ({
  id,
  description: 'The menus of a menud session.',
  autoStart: true,
  requires: [lab.ISettingRegistry],
  optional: [lab.ICommandPalette, lab.IMainMenu],
  async activate({ commands }, registry, palette, mainMenu) {
    const settings = await registry.load(id)
    let shown
    const show = () => {
      shown?.dispose()
      const { composite } = settings
      shown = composite.session ? new SessionMenu({ ...composite, commands, palette, mainMenu, lab }) : undefined
    }
    settings.changed.connect(show)
    show()
  },
})

/** A session as its elements show it; what it tells a person is a notification of JupyterLab. */
class View extends SessionView {
  constructor(session, { Notification }) {
    super(session)
    this.notifications = Notification
  }

  notice(title, detail) {
    this.notifications.warning([title, detail].filter(Boolean).join('\n'), { autoClose: 7000 })
  }
}

/** The items of a session in JupyterLab, from a change of the settings to the next one. */
class SessionMenu {
  #items = new Map()
  #commands = new Map()
  #entries = []
  #submenus = []
  #structure
  #hindrance
  #isDisposed = false

  constructor({ server, session, token, title, commands, palette, mainMenu, lab }) {
    Object.assign(this, { commands, palette, mainMenu, lab })
    this.menu = new lab.Menu({ commands })
    this.menu.id = 'menud'
    this.menu.title.label = title || session
    this.view = new View(new Client(server, { token: token || undefined }).session(session), lab)
    this.view.addEventListener('change', this.#update)
    this.#follow()
  }

  async #follow() {
    try {
      const mirror = await this.view.session.follow({ menu: true })
      if (this.#isDisposed) return mirror.close()
      this.view.show(mirror)
      this.mainMenu?.addMenu(this.menu, true, { rank: 900 })
    } catch (error) {
      this.view.notice(`The session “${this.view.session.id}” is not shown.`, error.message)
    }
  }

  /** Tells JupyterLab what has changed: equal items are identical. */
  #update = () => {
    const { menu, hindrance } = this.view
    const [items, wasHindered] = [this.#items, this.#hindrance]
    this.#items = new Map(Array.from(itemsIn(menu), ({ item }) => [nameOf(item), item]))
    this.#hindrance = hindrance
    const structure = JSON.stringify(skeleton(menu))
    if (structure !== this.#structure) this.#arrange(menu)
    this.#structure = structure
    const isChanged = (item) => hindrance !== wasHindered || item !== items.get(nameOf(item))
    const changed = [...this.#items.values()].filter(isChanged)
    for (const id of new Set(changed.map(({ command }) => idOf(command)))) this.commands.notifyCommandChanged(id)
    // A menu that is open is drawn once, when it opens.
    for (const menu of [this.menu, ...this.#submenus]) if (menu.isVisible) menu.update()
  }

  /** Registers the commands that came, and puts all items into the palette and the menu. */
  #arrange(menu) {
    const wanted = new Map()
    for (const { command, checkable } of this.#items.values()) {
      wanted.set(command, wanted.get(command) || checkable === true)
    }
    for (const [command, { isCheckable, registration }] of this.#commands) {
      if (wanted.get(command) === isCheckable) continue
      this.#commands.delete(command)
      registration.dispose()
    }
    for (const [command, isCheckable] of wanted) {
      if (this.#commands.has(command)) continue
      this.#commands.set(command, { isCheckable, registration: this.#register(command, isCheckable) })
    }
    for (const entry of [...this.#entries, ...this.#submenus]) entry.dispose()
    this.#submenus = []
    this.#entries = Array.from(itemsIn(menu), ({ item: { command, itemKey }, titles }) => this.palette?.addItem({
      command: idOf(command), args: argumentsOf(itemKey), category: [this.menu.title.label, ...titles].join(' › '),
    })).filter(Boolean)
    this.menu.clearItems()
    this.#fill(this.menu, menu.children)
  }

  #register(command, isCheckable) {
    const item = ({ itemKey }) => this.#items.get(nameOf({ command, itemKey }))
    const has = (test) => (args) => { const found = item(args); return found !== undefined && test(found) }
    return this.commands.addCommand(idOf(command), {
      label: (args) => item(args)?.title ?? command,
      caption: (args) => {
        const found = item(args)
        return (found && this.view.whyNot(found)) ?? found?.subtitle ?? ''
      },
      isEnabled: has((found) => this.view.isEnabled(found)),
      isVisible: has(({ attributes }) => !attributes.includes('hidden')),
      // A command with this function can have a check mark.
      isToggled: isCheckable ? has(({ state }) => state === 'on') : undefined,
      execute: (args) => this.view.perform(command, { itemKey: args.itemKey }),
    })
  }

  #fill(menu, children) {
    for (const child of children) {
      if (child.command) {
        menu.addItem({ command: idOf(child.command), args: argumentsOf(child.itemKey) })
      } else if (child.options.includes('displayInline')) {
        menu.addItem({ type: 'separator' })
        this.#fill(menu, child.children)
        menu.addItem({ type: 'separator' })
      } else {
        const submenu = new this.lab.Menu({ commands: this.commands })
        submenu.title.label = child.title
        this.#submenus.push(submenu)
        this.#fill(submenu, child.children)
        menu.addItem({ type: 'submenu', submenu })
      }
    }
  }

  dispose() {
    this.#isDisposed = true
    this.view.removeEventListener('change', this.#update)
    this.view.mirror?.close()
    const registrations = Array.from(this.#commands.values(), ({ registration }) => registration)
    for (const entry of [...this.#entries, ...this.#submenus, this.menu, ...registrations]) entry.dispose()
  }
}

const idOf = (command) => `menud:${command}`
const argumentsOf = (itemKey) => (itemKey === undefined ? {} : { itemKey })

/** The structure of a menu, without the present state of its items. */
const skeleton = (menu) => menu && [menu.identifier, menu.title, menu.options, menu.children.map((child) =>
  child.command ? [nameOf(child), child.checkable] : skeleton(child))]
