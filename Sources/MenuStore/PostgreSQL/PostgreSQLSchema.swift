/// The tables of a journal in a PostgreSQL database, in the first schema of the search path.
///
/// - `menud_subject`: the catalogue, whose name is empty, and the open sessions. A session that is opened again is
///   another *incarnation*, which has the number of the opening. Its *edition* grows by one with each record; a
///   statement that adds one expects the previous edition. The checksum is that of the last record. The label is the
///   data that replicas have of a session without loading it. `delivers` is true if the session may have deliveries.
/// - `menud_record`: the changes. The checksum of each covers its edition and that of its subject's previous one, so
///   that a missing or changed record is detected. `sequence` orders the records of a session, and those of the
///   catalogue among all. The index `menud_directory` has the records that every replica reads: of the catalogue, and
///   those that open and close sessions.
/// - `menud_state`: the newest state of each subject that has one, with the checksum of the last record that it
///   includes.
/// - `menud_answer`: the answers to requests with an idempotency key.
/// - `menud_history`: the histories of sessions. `position` grows with the rows of an incarnation, by their size.
/// - `menud_head`: one row. A replica that opens or closes a session, or changes the catalogue, locks it first, so that
///   these records have one order, and their numbers no gap that is filled later; `sequence` is the end of these. Those
///   up to `removed` may be gone.
/// - `menud_writer`: each writer, the last batch that it committed, and the end of the directory after the last one
///   that changed that. A writer that lost its connection learns from it whether its last batch was committed, and
///   whether another process took the journal over. The row tells which server process it writes by.
/// - `menud_format`: one row with the number of this format.
enum PostgreSQLSchema {
  /// The format that is written and read.
  static let format: Int64 = 3

  /// The statements that create the tables in an empty schema.
  static let tables = """
    CREATE TABLE menud_format (id bigint PRIMARY KEY CHECK (id = 1), number bigint NOT NULL);
    INSERT INTO menud_format VALUES (1, \(format));
    CREATE SEQUENCE menud_sequence;
    CREATE TABLE menud_writer (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(), batch bigint NOT NULL,
      sequence bigint NOT NULL, shared boolean NOT NULL, process bigint, started timestamptz,
      gone timestamptz) WITH (fillfactor = 50);
    CREATE TABLE menud_head (
      id bigint PRIMARY KEY CHECK (id = 1), sequence bigint NOT NULL,
      removed bigint NOT NULL, openings bigint NOT NULL, shift bigint, nonce text NOT NULL);
    INSERT INTO menud_head
      SELECT 1, 0, 0, 562949953421312, NULL, left(replace(gen_random_uuid()::text, '-', ''), 12);
    CREATE TABLE menud_subject (
      subject text COLLATE "C" PRIMARY KEY, incarnation bigint NOT NULL, edition bigint NOT NULL,
      revision bigint NOT NULL, checksum bigint NOT NULL, label bytea) WITH (fillfactor = 70);
    \(deliveryColumn)
    CREATE TABLE menud_record (
      subject text COLLATE "C" NOT NULL, incarnation bigint NOT NULL, edition bigint NOT NULL,
      sequence bigint NOT NULL UNIQUE, kind bigint NOT NULL, revision bigint NOT NULL,
      payload bytea NOT NULL, checksum bigint NOT NULL,
      time timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (subject, incarnation, edition));
    CREATE INDEX menud_directory ON menud_record (sequence) WHERE kind <> 2 OR subject = '';
    CREATE TABLE menud_state (
      subject text COLLATE "C" PRIMARY KEY, incarnation bigint NOT NULL, edition bigint NOT NULL,
      sequence bigint NOT NULL, revision bigint NOT NULL, payload bytea NOT NULL,
      record_checksum bigint NOT NULL, checksum bigint NOT NULL,
      time timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE INDEX menud_state_time ON menud_state (time);
    CREATE TABLE menud_answer (
      key bytea PRIMARY KEY, fingerprint bytea NOT NULL, status bigint NOT NULL,
      headers bytea NOT NULL, body bytea NOT NULL, expiry bigint NOT NULL,
      checksum bigint NOT NULL);
    CREATE INDEX menud_answer_expiry ON menud_answer (expiry);
    \(historyTables)
    """

  /// The statements that create the table of histories.
  static let historyTables = """
    CREATE TABLE menud_history (
      subject text COLLATE "C" NOT NULL, incarnation bigint NOT NULL, position bigint NOT NULL,
      base bigint NOT NULL, revision bigint NOT NULL, time bigint NOT NULL, record bytea NOT NULL,
      result bytea NOT NULL, checksum bigint NOT NULL, PRIMARY KEY (subject, incarnation, position));
    CREATE INDEX menud_history_time ON menud_history (time);
    """

  /// The statements that add the column of deliveries. Sessions of before may have some.
  static let deliveryColumn = """
    ALTER TABLE menud_subject ADD COLUMN delivers boolean NOT NULL DEFAULT true;
    ALTER TABLE menud_subject ALTER COLUMN delivers SET DEFAULT false;
    CREATE INDEX menud_delivering ON menud_subject (subject) WHERE delivers;
    """

  /// The statements that create what tables of an earlier version lack.
  static func additions(to connection: PostgreSQLConnection) throws(JournalFault) -> String {
    let found = try connection.row(
      of: """
        SELECT to_regclass('menud_history') IS NOT NULL, to_regclass('menud_delivering') IS NOT NULL
        """)
    return (found?.flag(0) == true ? "" : historyTables)
      + (found?.flag(1) == true ? "" : deliveryColumn)
  }

  /// Excludes other processes while the connection lasts: `menu` in ASCII, and the schema.
  static let lock = "SELECT pg_try_advisory_lock(1835363957, hashtext(current_schema()))"

  /// Excludes processes that want the journal exclusively.
  static let sharedLock =
    "SELECT pg_try_advisory_lock_shared(1835363957, hashtext(current_schema()))"

  /// Lets one process at a time create the tables.
  static let makingLock = "SELECT pg_advisory_lock(1835363959, hashtext(current_schema()))"
  static let makingUnlock = "SELECT pg_advisory_unlock(1835363959, hashtext(current_schema()))"

  /// Makes this replica the caretaker, unless another one is.
  static let caretakerLock = """
    SELECT pg_try_advisory_lock(1835363958, hashtext(current_schema()))
    """

  /// Joins a journal: returns a block of opening numbers, the word for tags, the time, and the clock by which answers
  /// expire, which is agreed upon anew after a process had the journal for itself. The argument is the retention of
  /// answers.
  static let share = """
    UPDATE menud_head SET openings = 268435456
        + greatest(openings, (SELECT max(incarnation) FROM menud_subject)),
      shift = coalesce(shift, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        - greatest(0, (SELECT max(expiry) FROM menud_answer) - $1::bigint))
    RETURNING openings, nonce, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, shift
    """

  /// Takes the journal over for one process, and returns a block of opening numbers. An earlier writer meets a fault
  /// when it writes again.
  static let takeOver = """
    WITH former AS (DELETE FROM menud_writer)
    UPDATE menud_head SET shift = NULL, openings = 268435456
        + greatest(openings, (SELECT max(incarnation) FROM menud_subject)) RETURNING openings
    """

  /// Takes the journal over from a process that had it for itself.
  static let takeOverForAll = "DELETE FROM menud_writer WHERE NOT shared"

  /// Registers a writer, and returns the id of its row. The argument is 1 if it is one of several.
  static let join = """
    INSERT INTO menud_writer (batch, sequence, shared, process, started)
      SELECT 0, 0, $1::bigint = 1, pid, backend_start FROM pg_stat_activity
      WHERE pid = pg_backend_pid() RETURNING id
    """

  /// Notes which server process a writer writes by, once its earlier one has ended what it did.
  static let rejoin = """
    UPDATE menud_writer SET (process, started, gone) =
      (SELECT pid, backend_start, NULL::timestamptz FROM pg_stat_activity WHERE pid = pg_backend_pid())
    WHERE id = $1
    """

  /// Returns the format of the tables; 0 if there are none, nil if an unreleased version of menud made them.
  static func format(of connection: PostgreSQLConnection) throws(JournalFault) -> Int64? {
    let row = try connection.row(
      of: "SELECT to_regclass('menud_format') IS NULL, to_regclass('menud_meta') IS NULL")
    guard row?.flag(0) == true else {
      return try connection.row(of: "SELECT number FROM menud_format")?.int(0) ?? 0
    }
    return row?.flag(1) == true ? 0 : nil
  }
}
