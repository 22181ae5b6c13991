/// A list of items from data with omitted elements, or with a failed rule (M12).
package struct ItemsFinding: Equatable, Sendable {
  package let menu: MenuID
  /// The declaration of the list.
  package let declaration: ItemsFromData
  /// The keys that an earlier element of the menu has.
  package let repeated: [ItemKey]
  /// The number of elements beyond the limit.
  package let excess: Int
  /// The rule that failed; nil for none.
  package let fault: RuleFault?
}

extension Session {
  /// Returns the lists of items from data with omitted elements. Lists that take too much effort are not read.
  func itemsFindings(in catalog: Catalog) -> [ItemsFinding] {
    let inquiry = inquiry(in: SessionContext(catalog))
    var findings: [ItemsFinding] = []
    for menu in catalog.menus.menus {
      for kind in MenuKind.allCases {
        var shown = ShownLists(in: menu)
        for case .itemsFromData(let declaration) in menu.children(in: MenuSystems(kind))
        where !inquiry.effort.isExhausted {
          let list = shown.show(inquiry.unvalidatedList(of: declaration), of: declaration)
          let finding = ItemsFinding(list, of: declaration, in: menu)
          if let finding, !findings.contains(finding) { findings.append(finding) }
        }
      }
    }
    return findings
  }
}

extension ItemsFinding {
  /// Creates the finding about a list as shown in a menu; nil if no elements are omitted and no rule failed.
  fileprivate init?(_ list: ItemList, of declaration: ItemsFromData, in menu: Menu) {
    guard !list.repeated.isEmpty || list.excess > 0 || list.fault != nil else { return nil }
    self.init(
      menu: menu.identifier, declaration: declaration, repeated: list.repeated,
      excess: list.excess, fault: list.fault)
  }
}

extension Inquiry {
  /// Returns the items of a declaration without validation.
  fileprivate func unvalidatedList(of declaration: ItemsFromData) -> ItemList {
    do throws(RuleFault) {
      var (elements, list) = try elements(of: declaration)
      list.items = elements.map { element in
        var item = ValidatedItem(unknown: declaration.command)
        item.itemKey = element.key
        return item
      }
      return list
    } catch {
      return ItemList(error)
    }
  }
}
