import Locks

/// The indexes of a catalogue's commands and menus, each made on first use.
///
/// All copies of a catalogue share them until its commands or menus change.
final class CatalogIndexes: Sendable {
  /// The localizations (M14).
  let localizations = LazyValues<LocalizationKey, Localization>()
  private let commands = LazyValues<KeyModifiers, CommandIndex>()
  private let menuLayout = LazyReference<MenuLayout>()
  private let selections = LazyReference<SelectableCommands>()
  private let search = LazyReference<SearchIndex>()

  /// Returns the commands by position, for held modifiers.
  func commands(of catalog: Catalog, whileHolding modifiers: KeyModifiers) -> CommandIndex {
    // Modifiers without any alternate have no effect.
    let isHeld =
      !modifiers.isEmpty && catalog.commands.contains { $0.changes(whileHolding: modifiers) }
    let modifiers = isHeld ? modifiers : []
    return commands.value(of: modifiers) { CommandIndex(catalog, whileHolding: modifiers) }
  }

  /// Returns the declared text of the menu tree.
  func menuLayout(of catalog: Catalog) -> MenuLayout {
    menuLayout.load() ?? menuLayout.storeIfNil(MenuLayout(catalog))
  }

  /// Returns the commands in a menu with `singleSelection`.
  func selectableCommands(of catalog: Catalog) -> Set<CommandID> {
    let made = selections.load() ?? selections.storeIfNil(SelectableCommands(in: catalog.menus))
    return made.commands
  }

  /// Returns the declared titles and words, for searches.
  func search(of catalog: Catalog) -> SearchIndex {
    search.load() ?? search.storeIfNil(SearchIndex(catalog))
  }
}
