extension ValidatedMenu {
  /// Leaves out what a menu of this kind does not show (M8).
  ///
  /// A context menu has neither hidden items; a main menu keeps those, marked as hidden.
  mutating func show(as kind: MenuKind) {
    switch kind {
    case .main: break
    case .context: leaveOutWhatCannotBePerformed()
    }
  }

  private mutating func leaveOutWhatCannotBePerformed() {
    var shown: [Element] = []
    for child in children {
      switch child {
      case .item(let item):
        if item.isEnabled, !item.attributes.contains(.hidden) {
          shown.append(child)
        } else {
          leftOut.append(item)
        }
      case .menu(var menu):
        menu.leaveOutWhatCannotBePerformed()
        if menu.children.isEmpty { leftOut += menu.leftOut } else { shown.append(.menu(menu)) }
      }
    }
    children = shown
  }
}
