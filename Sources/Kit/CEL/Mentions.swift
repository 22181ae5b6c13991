/// The positions of names in a syntax tree, so that the variables of macros need not look at every node.
struct Mentions {
  /// In ascending order.
  private var nodes: [String: [NodeID]] = [:]

  init(_ tree: SyntaxTree) {
    for id in tree.nodes.indices {
      if case .name(let name, isAbsolute: false) = tree.nodes[id] {
        nodes[name, default: []].append(id)
      }
    }
  }

  /// The nodes of `range` that are the name.
  func of(_ name: String, in range: Range<NodeID>) -> ArraySlice<NodeID> {
    let all = nodes[name] ?? []
    return all[position(of: range.lowerBound, in: all)..<position(of: range.upperBound, in: all)]
  }

  /// The position of the first id that is not before `id`.
  private func position(of id: NodeID, in ids: [NodeID]) -> Int {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
