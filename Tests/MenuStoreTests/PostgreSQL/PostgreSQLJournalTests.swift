import Foundation
import JSONText
import StoreSupport
import Testing

@testable import MenuStore

/// The properties that only a journal in PostgreSQL has.
@Suite(PostgreSQLServer.isNeeded) struct PostgreSQLJournalTests {
  @Test func `a second one is refused while the first is open, and not after it was closed`() throws
  {
    let place = try Place(.postgreSQL)
    let model = try place.model()
    let fault = #expect(throws: JournalFault.self) { try place.model() }
    guard case .lockedDatabase? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    model.close()
    _ = try place.model()
  }

  @Test func `journals in two schemas of one database are two`() throws {
    let places = [try Place(.postgreSQL), try Place(.postgreSQL)]
    let models = try places.map { try $0.model() }
    try models[0].open("a")
    #expect(try models[1].open(.session("b"), [1]).wait() == .durable)
    #expect(try places[1].reopen(models[1]).all == models[1].all)
  }

  @Test func `a new one says so, and with the database`() throws {
    let place = try Place(.postgreSQL)
    let model = try place.model()
    let database = "PostgreSQL database postgres on \(PostgreSQLServer.shared.folder)"
    #expect(model.recovery.notices == [.created(path: database)])
    #expect(try place.reopen(model).recovery.notices.isEmpty)
  }

  @Test func `a newer version is refused and named`() throws {
    let place = try Place(.postgreSQL)
    try place.model().close()
    place.schema.run("UPDATE menud_format SET number = 99")
    let fault = #expect(throws: JournalFault.self) { try place.model() }
    guard case .newer(_, version: 99, known: PostgreSQLSchema.format)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test func `tables of an unreleased version are refused and named`() throws {
    let place = try Place(.postgreSQL)
    _ = try place.schema.address
    place.schema.run("CREATE TABLE menud_meta (id bigint, version bigint)")
    let database = "PostgreSQL database postgres on \(PostgreSQLServer.shared.folder)"
    #expect(throws: JournalFault.unreleased(place: database)) { try place.model() }
  }

  @Test(arguments: [0, 2000])
  func `a batch changes sessions in the order of their names, however many there are`(
    count: Int
  ) throws {
    let place = try Place(.postgreSQL)
    _ = try place.model()
    place.schema.run(
      """
      INSERT INTO menud_subject SELECT 's' || n, 1, 0, 0, 0, '' FROM generate_series(1, \(count)) n;
      ANALYZE menud_subject; \(PostgreSQLSchema.settings) \(PostgreSQLSchema.writingStatements)
      """)
    let plan = try #require(
      place.schema.text(
        """
        EXPLAIN (FORMAT JSON) EXECUTE menud_add_records(0,
          '{s1}', '{1}', '{0}', '{1}', '{1}', '{1}', '{0}', '{s1}', '{1}', '{1}', '{1}', '{x}', '{1}')
        """))
    let nodes = PlanNode.all(in: try JSON(parsing: plan))
    let change = try #require(nodes.first { $0["Operation"] == "Update" })
    let join = try #require(PlanNode.all(in: change["Plans"] ?? .null).first)
    #expect(join["Node Type"] == "Nested Loop", "\(plan)")
    // The array is in that order, and so is the index.
    let outer = try #require(PlanNode.all(in: join["Plans"] ?? .null).first)
    #expect(
      outer["Node Type"] == "Subquery Scan" || outer["Index Name"] == "menud_subject_pkey",
      "\(plan)")
  }

  @Test func `records that are no longer needed leave the table`() throws {
    let place = try Place(.postgreSQL)
    let model = try place.model(snapshotEvery: 100)
    try model.open("a")
    for _ in 0..<10_000 { try model.change("a", [0]) }
    for _ in 0..<300 { #expect(try model.change("a", [0]).wait() == .durable) }
    #expect(eventually { place.schema.number("SELECT count(*) FROM menud_record") == 0 })
    #expect(try place.reopen(model).all == model.all)
  }

  @Test func `records of before a change of the catalogue leave the table, and that one`() throws {
    let place = try Place(.postgreSQL)
    let model = try place.model(snapshotEvery: 100)
    try model.open(.catalog, [0])
    for name in ["a", "b"] { try model.open(name) }
    for name in ["a", "b"] { try model.change(name, [1]) }
    try model.changeCatalog([2])
    #expect(try model.change("a", [3]).wait() == .durable)
    #expect(place.schema.settles("SELECT count(*) FROM menud_state", at: 3))
    // At most the last change, if the states were made before it.
    #expect(eventually { place.schema.number("SELECT count(*) FROM menud_record") ?? .max <= 1 })
    #expect(try place.reopen(model).all == model.all)
  }

  @Test func `E5: states lag behind, and records stay for whoever followed a session before`()
    throws
  {
    let place = try Place(.postgreSQL)
    var configuration = PostgreSQLConfiguration(address: try place.schema.address)
    (configuration.snapshotEvery, configuration.housekeeping) = (10, .milliseconds(20))
    func journal() throws(JournalFault) -> PostgreSQLJournal {
      try PostgreSQLJournal(configuration, clock: place.clock)
    }
    let model = try Model(recovering: journal())
    try model.open("a")
    for _ in 0..<1000 { try model.change("a", [0]) }
    #expect(try model.change("a", [0]).wait() == .durable)
    usleep(200_000)
    #expect(place.schema.number("SELECT count(*) FROM menud_state") == 0)
    for _ in 0..<200 { #expect(try model.change("a", [0]).wait() == .durable) }
    #expect(place.schema.settles("SELECT edition FROM menud_state", at: 170))
    #expect(place.schema.settles("SELECT count(*) FROM menud_record", at: 1031))
    model.close()
    let recovered = try Model(recovering: journal())
    #expect(recovered.all == model.all && recovered.recovery.replayed == 1031)
    recovered.close()
    // The state of records that each start reads again is due a while after one.
    configuration.stateDelay = .milliseconds(50)
    let third = try Model(recovering: journal())
    #expect(place.schema.settles("SELECT edition FROM menud_state", at: 1201))
    #expect(try place.reopen(third).recovery.replayed == 0)
  }

  @Test(
    arguments: [
      "DELETE FROM menud_record WHERE sequence = 3", "DELETE FROM menud_record WHERE sequence = 4",
      "DELETE FROM menud_record WHERE sequence = 5", "DELETE FROM menud_record",
      "UPDATE menud_record SET payload = 'x' WHERE sequence = 4",
      "UPDATE menud_record SET sequence = 99 WHERE sequence = 4",
      "UPDATE menud_subject SET edition = edition - 1 WHERE subject = 'a'",
      "UPDATE menud_answer SET status = 500",
    ])
  func `what somebody changed or removed is noticed, and nothing is changed`(script: String) throws
  {
    let place = try Place(.postgreSQL)
    let model = try place.model(snapshotEvery: 1000)
    for name in ["a", "b"] { try model.open(name) }
    for number in 0..<3 { try model.change("a", [UInt8(number)]) }
    try model.change("b", [1], entry: .sample("k"))
    for number in 0..<9 { try model.change("b", [UInt8(number)]) }
    model.close()
    try expectDamage(by: script, in: place)
  }

  @Test(
    arguments: [
      "UPDATE menud_state SET payload = 'x'", "UPDATE menud_state SET edition = edition - 1",
      "DELETE FROM menud_state", "UPDATE menud_state SET record_checksum = 1",
    ])
  func `what somebody did to a state is noticed`(script: String) throws {
    let place = try Place(.postgreSQL)
    let model = try place.model(snapshotEvery: 5)
    try model.open("b")
    for number in 0..<12 { try model.change("b", [UInt8(number)]) }
    #expect(place.schema.settles("SELECT edition FROM menud_state", at: 10))
    #expect(place.schema.settles("SELECT count(*) FROM menud_record", at: 2))
    model.close()
    try expectDamage(by: script, in: place)
  }

  private func expectDamage(by script: String, in place: Place) throws {
    place.schema.run(script)
    let fault = #expect(throws: JournalFault.self) { try place.model() }
    guard case .damagedDatabase? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test func `each start numbers openings after those of all earlier ones`() throws {
    let place = try Place(.postgreSQL)
    let numbers = try (0..<3).map { _ in
      let model = try place.model()
      defer { model.close() }
      return model.recovery.openings
    }
    #expect(Set(numbers).count == 3 && numbers == numbers.sorted() && numbers[0] > 0)
  }

  @Test func `the records of a session that is opened again stay when it was closed before`() throws
  {
    let place = try Place(.postgreSQL)
    let model = try place.model()
    for number in 0..<20 {
      try model.open("a")
      try model.change("a", [UInt8(number)])
      if number < 19 { try model.close("a") }
    }
    #expect(eventually { place.schema.number("SELECT count(*) FROM menud_record") == 2 })
    #expect(try place.reopen(model).all == model.all)
  }

  @Test func `a process that had the journal for itself is replaced by one of several`() throws {
    let place = try Place(.postgreSQL)
    let first = try place.model()
    #expect(try first.open(.session("a")).wait() == .durable)
    // The lock is lost with the connection. Whoever is faster has it then.
    place.schema.terminateOthers()
    var configuration = PostgreSQLConfiguration(address: try place.schema.address)
    configuration.isShared = true
    var replica: PostgreSQLJournal?
    #expect(
      eventually {
        replica = try? PostgreSQLJournal(configuration, clock: place.clock)
        return replica != nil
          || first.journal.figures.lostConnections.value > 0 && first.fault == nil
      })
    guard let replica else { return }
    _ = try replica.recover(reading: { _ in }, stateOf: { _ in nil })
    #expect(eventually { first.fault?.isFinal == true })
    guard case .takenOver? = first.fault else {
      Issue.record("It goes on: \(String(describing: first.fault)).")
      return
    }
  }

  @Test func `expired answers leave the table as new ones come`() throws {
    let place = try Place(.postgreSQL)
    let model = try place.model()
    for number in 0..<100 { try model.keep(.sample("early\(number)", expiry: 10)) }
    place.setClock(10)
    for number in 0..<30 { #expect(try model.keep(.sample("\(number)")).wait() == .durable) }
    #expect(place.schema.settles("SELECT count(*) FROM menud_answer", at: 30))
  }
}

/// Connections that are lost.
@Suite(PostgreSQLServer.isNeeded) struct PostgreSQLConnectionLossTests {
  @Test func `a connection that is ended is replaced, and nobody notices`() throws {
    let place = try Place(.postgreSQL)
    let model = try place.model()
    try model.open("a")
    for number in 0..<20 {
      #expect(try Self.insisting { try model.change("a", [UInt8(number)]) }.wait() == .durable)
      place.schema.terminateOthers()
    }
    #expect(model.journal.figures.lostConnections.value >= 19)
    #expect(model.journal.figures.failures.value == 0)
    #expect(try place.reopen(model).all == model.all)
  }

  /// The server acknowledges a commit only once a standby has a copy, and there is no standby.
  @Test func `a commit whose answer is lost is found, and not done again`() throws {
    let server = PostgreSQLServer()
    let schema = PostgreSQLSchemaForTests(of: server)
    let clock = RetentionClock { 0 }
    func journal() throws(JournalFault) -> PostgreSQLJournal {
      try PostgreSQLJournal(PostgreSQLConfiguration(address: try schema.address), clock: clock)
    }
    let model = try Model(recovering: journal())
    #expect(try model.open(.session("a")).wait() == .durable)
    schema.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    schema.run("SELECT pg_reload_conf()")
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    // It takes the server a moment to know.
    var tickets: [Ticket] = []
    #expect(
      eventually {
        if tickets.last?.outcome != nil || tickets.isEmpty {
          tickets += (try? [model.change("a", [UInt8(tickets.count)])]) ?? []
        }
        return schema.number(waiting) == 1
      })
    #expect(tickets.last?.outcome == nil)
    schema.terminateOthers()
    // The answer is lost. The next connection waits for the standby, too.
    #expect(eventually { model.journal.figures.lostConnections.value == 1 })
    schema.run("ALTER SYSTEM RESET synchronous_standby_names")
    schema.run("SELECT pg_reload_conf()")
    for ticket in tickets { #expect(ticket.wait() == .durable) }
    #expect(model.journal.figures.lostConnections.value == 1)
    #expect(try Self.insisting { try model.change("a", [99]) }.wait() == .durable)
    model.close()
    #expect(try Model(recovering: journal()).all == model.all)
  }

  @Test func `a connection that was silent for too long gives no results any more`() throws {
    let schema = PostgreSQLSchemaForTests()
    let connection = try PostgreSQLConnection(schema.address, patience: .milliseconds(200))
    try connection.execute("PREPARE nap AS SELECT pg_sleep(0.5); PREPARE two AS SELECT 2::bigint")
    #expect(throws: JournalFault.self) { try connection.exchange([PostgreSQLStatement("nap")]) }
    usleep(800_000)
    // The results of the nap have come by now.
    #expect(throws: JournalFault.self) { try connection.exchange([PostgreSQLStatement("two")]) }
    #expect(throws: JournalFault.self) { try connection.row(of: "SELECT 3") }
    #expect(throws: JournalFault.self) { try connection.checkAlive() }
  }

  @Test func `while the server is gone nothing is taken, and later all that was is there`() throws {
    let server = PostgreSQLServer()
    let schema = PostgreSQLSchemaForTests(of: server)
    let clock = RetentionClock { 0 }
    func journal() throws(JournalFault) -> PostgreSQLJournal {
      try PostgreSQLJournal(PostgreSQLConfiguration(address: try schema.address), clock: clock)
    }
    let model = try Model(recovering: journal())
    #expect(try model.open(.session("a")).wait() == .durable)
    server.send("crash")
    #expect(eventually { model.fault != nil })
    let fault = #expect(throws: JournalFault.self) { try model.change("a", [1]) }
    #expect(fault?.isOfReach == true)
    server.send("start")
    #expect(eventually { model.fault == nil })
    #expect(try model.change("a", [2]).wait() == .durable)
    model.close()
    #expect(try Model(recovering: journal()).all == model.all)
  }

  @Test func `a batch that is sent when the server is gone for long is refused`() throws {
    let server = PostgreSQLServer()
    let schema = PostgreSQLSchemaForTests(of: server)
    let journal = try PostgreSQLJournal(
      PostgreSQLConfiguration(address: try schema.address), clock: RetentionClock { 0 })
    let model = try Model(recovering: journal)
    #expect(try model.open(.session("a")).wait() == .durable)
    schema.run("BEGIN; LOCK TABLE menud_writer IN EXCLUSIVE MODE")
    let ticket = try model.change("a", [1])
    server.send("crash")
    #expect(eventually { model.fault != nil })
    #expect(ticket.outcome == nil)
    Thread.sleep(forTimeInterval: 2)
    server.send("start")
    guard case .failed(let fault) = ticket.wait() else {
      Issue.record("It is durable.")
      return
    }
    #expect(fault.isOfReach)
    #expect(model["a"] == [])
    #expect(eventually { model.fault == nil })
    #expect(try model.change("a", [2]).wait() == .durable)
    #expect(model["a"] == [2, 0])
  }

  @Test func `a closing journal waits for no server`() throws {
    let server = PostgreSQLServer()
    let schema = PostgreSQLSchemaForTests(of: server)
    let journal = try PostgreSQLJournal(
      PostgreSQLConfiguration(address: try schema.address), clock: RetentionClock { 0 })
    let model = try Model(recovering: journal)
    #expect(try model.open(.session("a")).wait() == .durable)
    schema.run("BEGIN; LOCK TABLE menud_writer IN EXCLUSIVE MODE")
    let ticket = try model.change("a", [1])
    server.send("crash")
    #expect(eventually { model.fault != nil })
    model.close()
    guard case .failed(.unresolved) = ticket.wait() else {
      Issue.record("It ends otherwise: \(ticket.wait()).")
      return
    }
  }

  @Test func `a journal that another process took over takes nothing any more`() throws {
    let place = try Place(.postgreSQL)
    let first = try place.model()
    try first.open("a")
    #expect(try first.change("a", [1]).wait() == .durable)
    place.schema.terminateOthers()
    var second: Model?
    #expect(
      eventually {
        second = try? place.model()
        let isBack = first.journal.figures.lostConnections.value > 0 && first.fault == nil
        return second != nil || isBack
      })
    // The faster one has it; the other one never gets it again.
    guard let second else { return }
    #expect(eventually { first.fault?.isFinal == true })
    let fault = #expect(throws: JournalFault.self) {
      let outcome = try first.change("a", [2]).wait()
      if case .failed(let fault) = outcome { throw fault }
    }
    #expect(fault?.isFinal == true)
    #expect(second["a"] == [1, 0])
    #expect(try second.change("a", [3]).wait() == .durable)
    #expect(try place.reopen(second).all == second.all)
  }

  /// Does it until the journal takes it.
  private static func insisting(_ change: () throws -> Ticket) throws -> Ticket {
    for _ in 0..<500 {
      if let ticket = try? change() { return ticket }
      usleep(10_000)
    }
    return try change()
  }
}

/// Addresses of databases.
@Suite struct PostgreSQLAddressTests {
  @Test(
    arguments: [
      "", "postgresql://", "postgresql://menud@localhost/menud",
      "postgres://h:1,i:2/d?sslmode=require", "host=/tmp user=menud", "service=menud",
    ])
  func `addresses and keywords are read`(text: String) {
    #expect(PostgreSQLAddress(text) != nil)
  }

  @Test(
    arguments: [
      "menud.db", "/var/lib/menud.db", "mysql://localhost/menud", "postgresql://h/d?color=red",
      "host=a color=red", "postgresql://[h/d", "host='a",
    ])
  func `anything else is none`(text: String) { #expect(PostgreSQLAddress(text) == nil) }

  @Test func `nothing shows what is in it`() throws {
    let address = try #require(PostgreSQLAddress("postgresql://menud:s3cret@localhost/menud"))
    var dump = ""
    Swift.dump(address, to: &dump)
    for text in ["\(address)", String(reflecting: address), dump] {
      #expect(!text.contains("s3cret"))
    }
  }

  @Test func `a keyword that is given is kept, and others notice a lost server`() throws {
    let address = try #require(
      PostgreSQLAddress(#"host=/tmp connect_timeout=1 password='it\'s \\'"#))
    #expect(address.keywords.contains("connect_timeout='1'"))
    #expect(address.keywords.contains("tcp_user_timeout='10000'"))
    #expect(address.keywords.contains(#"password='it\'s \\'"#))
  }

  @Test func `a server that is not there is told with its place and without the password`() throws {
    let address = try #require(
      PostgreSQLAddress("host=/nowhere dbname=menud user=menud password=s3cret"))
    let fault = #expect(throws: JournalFault.self) {
      try PostgreSQLJournal(
        PostgreSQLConfiguration(address: address), clock: RetentionClock { 0 })
    }
    let text = try #require(fault?.description)
    #expect(text.hasPrefix("PostgreSQL: It cannot be reached. connection to server on socket"))
    #expect(text.contains("/nowhere") && !text.contains("s3cret"))
  }
}

/// A node of the plan of a statement, as `EXPLAIN (FORMAT JSON)` prints it.
private enum PlanNode {
  /// The nodes in a value, each before those below it.
  static func all(in json: JSON) -> [JSONObject] {
    switch json {
    case .object(let object):
      (object["Node Type"] == nil ? [] : [object]) + object.members.flatMap { all(in: $0.value) }
    case .array(let elements): elements.flatMap(all)
    default: []
    }
  }
}
