package import JSONText

/// The values that a property of an object may have at a certain time, and the value that it begins with.
package struct PropertyOffer: Sendable {
  /// A value to choose, and its title for people.
  package struct Choice: Sendable {
    package let value: JSON
    package let title: String?

    package init(_ value: JSON, title: String? = nil) {
      self.value = value
      self.title = title
    }
  }

  package enum Choices: Sendable {
    /// One of these values.
    case values([Choice])
    /// No value, as long as the choices are not known for this reason.
    case unknown(String)
  }

  /// The property, which stands in the `properties` of the whole schema.
  package let property: String
  /// The choices for the value, or for each of its elements if it is an array; nil for those of the schema.
  package var choices: Choices?
  /// The value that it begins with; nil for that of the schema.
  package var start: JSON?

  package init(of property: String) { self.property = property }
}

extension Schema {
  /// The names in the `properties` of the whole schema.
  package var propertyNames: [String] { members?.names ?? [] }

  /// Returns the schema with choices and initial values for some of its properties, in its document and in validation.
  ///
  /// Choices replace `enum`, `const` and `oneOf`. Choices that the property's schema, with these keywords, refuses are
  /// omitted, and so are repeated ones. Choices with titles are a `oneOf`, without an `enum`. An empty list of choices
  /// is `"not": {}`, because an `enum` must have elements. The initial value is the property's `default`, if the
  /// property allows it. `isMetByEmptyObject` is unchanged.
  ///
  /// - Throws: The limit of validation that finding out exceeds.
  package func offering(
    _ offers: [PropertyOffer], addingStepsTo steps: inout Int
  ) throws(ValueFault.Exhaustion) -> Schema {
    var offering = Offering(self)
    defer { steps += offering.steps }
    for offer in offers { try offering.choose(offer) }
    // A property may refer to one whose choices come behind its own.
    if offers.count > 1 { for offer in offers { try offering.choose(offer) } }
    for offer in offers { offering.begin(offer) }
    return offering.schema
  }

  /// The schemas of the members of the whole value.
  fileprivate var members: MemberSchemas? {
    for demand in subschemas.first?.demands ?? [] {
      if case .members(let members) = demand { return members }
    }
    return nil
  }

  /// Returns the schema of a property; nil if there is none.
  fileprivate func property(_ name: String) -> SubschemaIndex? {
    members.flatMap { members in
      members.properties.position(of: name).map { members.schemas[$0] }
    }
  }

  /// True if the values of a schema are arrays, or maybe null: by its `type`, or that of a schema to which it refers.
  fileprivate func describesArrays(_ index: SubschemaIndex) -> Bool {
    subschemas[index].demands.contains { demand in
      switch demand {
      case .types(let types):
        types.contains(.array) && types.allSatisfy { $0 == .array || $0 == .null }
      case .reference(let other): describesArrays(other)
      default: false
      }
    }
  }

  /// Returns the schemas of the elements of arrays behind those with schemas of their own.
  fileprivate func elements(of index: SubschemaIndex) -> [SubschemaIndex] {
    subschemas[index].demands.flatMap { demand -> [SubschemaIndex] in
      switch demand {
      case .elements(prefix: _, rest: let rest?): [rest]
      case .reference(let other): elements(of: other)
      default: []
      }
    }
  }
}

/// A schema while offers are added to it.
private struct Offering {
  private(set) var schema: Schema
  /// The steps of validating choices; they have the limit of one value.
  private(set) var steps = 0

  init(_ schema: Schema) { self.schema = schema }

  /// Adds the choices of an offer.
  mutating func choose(_ offer: PropertyOffer) throws(ValueFault.Exhaustion) {
    guard let choices = offer.choices, let index = schema.property(offer.property) else { return }
    let isArray = schema.describesArrays(index)
    let described = isArray ? schema.elements(of: index) : [index]
    let possible = try self.possible(choices, described)
    let place = isArray ? schema.subschemas.ownElements(of: index) : index
    schema.subschemas[place] = schema.subschemas[place].choosing(possible)
    let path = ["properties", offer.property] + (isArray ? ["items"] : [])
    schema.document = schema.document.replacing(path[...]) { $0.choosing(possible) }
  }

  /// Adds the first possible value to begin with, by the offer or else by the schema; none if neither is possible, or
  /// if finding out takes too many steps.
  mutating func begin(_ offer: PropertyOffer) {
    guard let index = schema.property(offer.property) else { return }
    let path = ["properties", offer.property]
    let name = KeywordName.defaultValue.rawValue
    let declared = schema.document[JSONPointer(path + [name])]
    var start: JSON?
    for value in [offer.start, declared].compactMap(\.self) where start == nil {
      if (try? meets(value, [index])) == true { start = value }
    }
    guard start != nil || declared != nil else { return }
    schema.document = schema.document.replacing(path[...]) { property in
      var object = property.object
      object[name] = start
      return .object(object)
    }
  }

  /// Returns the choices that all these schemas accept, each value once.
  private mutating func possible(
    _ choices: PropertyOffer.Choices, _ indexes: [SubschemaIndex]
  ) throws(ValueFault.Exhaustion) -> PropertyOffer.Choices {
    guard case .values(let values) = choices else { return choices }
    var met: Set<JSON> = []
    var possible: [PropertyOffer.Choice] = []
    for choice in values where try meets(choice.value, indexes) {
      if met.insert(choice.value).inserted { possible.append(choice) }
    }
    return .values(possible)
  }

  private mutating func meets(
    _ value: JSON, _ indexes: [SubschemaIndex]
  ) throws(ValueFault.Exhaustion) -> Bool {
    var validation = Validation(of: schema, spent: steps)
    defer { steps = schema.limits.maximumSteps - max(0, validation.remainingSteps) }
    try validation.spend(value.work)
    for index in indexes where try !validation.silentlyMeets(index, value) { return false }
    return true
  }
}

extension [Subschema] {
  /// Returns the schema of the elements of an array in its own `items`, which is added if it is not there.
  fileprivate mutating func ownElements(of index: SubschemaIndex) -> SubschemaIndex {
    var demands = self[index].demands
    var (place, prefix) = (demands.count, [SubschemaIndex]())
    for (position, demand) in demands.enumerated() {
      guard case .elements(let own, let rest) = demand else { continue }
      if let rest { return rest }
      (place, prefix) = (position, own)
    }
    let demand = Demand.elements(prefix: prefix, rest: count)
    if place < demands.count { demands[place] = demand } else { demands.append(demand) }
    self[index] = Subschema(demands: demands)
    append(Subschema(demands: []))
    return count - 1
  }
}

extension Subschema {
  /// Returns the schema with the choices in place of other lists of values.
  fileprivate func choosing(_ choices: PropertyOffer.Choices) -> Subschema {
    var demands = demands.filter { demand in
      switch demand {
      case .listed, .constant, .one, .unknownChoices: false
      default: true
      }
    }
    let place = demands.prefix { demand in
      switch demand {
      case .reference, .types: true
      default: false
      }
    }.count
    let demand: Demand =
      switch choices {
      case .values(let choices): .listed(ListedValues(choices.map(\.value)))
      case .unknown(let reason): .unknownChoices(reason)
      }
    demands.insert(demand, at: place)
    return Subschema(demands: demands)
  }
}

extension JSON {
  /// The schema as an object; the schemas `true` and `false`, and an absent one, are empty.
  fileprivate var object: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }

  /// Returns the value with another one at a path of objects.
  fileprivate func replacing(_ path: ArraySlice<String>, by change: (JSON) -> JSON) -> JSON {
    guard let name = path.first else { return change(self) }
    var object = object
    object[name] = (object[name] ?? true).replacing(path.dropFirst(), by: change)
    return .object(object)
  }

  /// Returns the schema with the choices in place of other lists of values.
  fileprivate func choosing(_ choices: PropertyOffer.Choices) -> JSON {
    var schema = object
    for keyword in [KeywordName.list, .constant, .oneOf] { schema[keyword.rawValue] = nil }
    switch choices {
    case .values(let choices) where choices.contains { $0.title != nil }:
      schema[KeywordName.oneOf.rawValue] = .array(choices.map(\.json))
    case .values(let choices) where !choices.isEmpty:
      schema[KeywordName.list.rawValue] = .array(choices.map(\.value))
    case .values, .unknown: schema[KeywordName.not.rawValue] = [:]
    }
    return .object(schema)
  }
}

extension PropertyOffer.Choice {
  /// The choice as a schema.
  fileprivate var json: JSON {
    var object: JSONObject = [KeywordName.constant.rawValue: value]
    object[KeywordName.title.rawValue] = title.map(JSON.string)
    return .object(object)
  }
}
