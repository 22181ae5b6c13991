/// The prepared statements.
///
/// If the expectation of a statement fails, so do the statement and its batch. A batch of a process that is no longer
/// the writer divides by zero; one based on an outdated edition takes the square root of a negative number.
extension PostgreSQLSchema {
  /// The SQLSTATEs of an outdated batch: a root of a negative number, a second row under one key, and a record of a
  /// session that is not open.
  static let conflicts: Set = ["2201F", "23505", "23502"]

  /// The SQLSTATE of a transaction that waits for one that waits for it.
  static let deadlock = "40P01"

  /// The SQLSTATE of a batch of a process that is not the writer: a division by zero.
  static let notTheWriter = "22012"

  /// Plans each statement once, for tables of any size and arrays of few elements. Disabling scans makes costs look so
  /// high that JIT would compile each statement.
  static let settings = """
    SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
    SET enable_mergejoin = off; SET jit = off;
    SET default_transaction_isolation = 'read committed';
    """

  /// Keeps the catalogue unchanged until the end of the transaction. The second statement takes it exclusively.
  private static let catalogLocks = """
    PREPARE menud_keep_catalog AS
      SELECT pg_advisory_xact_lock_shared(1835363960, hashtext(current_schema()));
    PREPARE menud_lock_catalog AS
      SELECT pg_advisory_xact_lock(1835363960, hashtext(current_schema()));
    """

  private static let readingOfSubject = """
    PREPARE menud_read_subject(text, text) AS
      SELECT s.subject, s.incarnation, s.edition, s.sequence, 0::bigint, s.revision, s.payload,
        s.record_checksum, s.checksum, e.edition, e.checksum
      FROM menud_state s JOIN menud_subject e USING (subject, incarnation) WHERE s.subject IN ($1, $2)
      UNION ALL
      SELECT r.subject, r.incarnation, r.edition, r.sequence, r.kind, r.revision, r.payload,
        r.checksum, NULL, e.edition, e.checksum
      FROM menud_record r JOIN menud_subject e USING (subject, incarnation)
      LEFT JOIN menud_state s USING (subject, incarnation)
      WHERE r.subject IN ($1, $2) AND r.edition > coalesce(s.edition, -1) ORDER BY 4;
    """

  /// The statements that read the commits of other processes.
  static let readingStatements = """
    PREPARE menud_read_delivering AS SELECT subject, revision FROM menud_subject WHERE delivers;
    PREPARE menud_read_head AS SELECT sequence, removed FROM menud_head;
    PREPARE menud_read_directory(bigint) AS
      SELECT r.subject, r.incarnation, r.edition, r.sequence, r.kind, r.revision,
        CASE WHEN r.subject = '' THEN r.payload ELSE e.label END,
        r.checksum, NULL::bigint,
        (extract(epoch FROM clock_timestamp() - r.time) * 1000000000)::bigint
      FROM menud_record r LEFT JOIN menud_subject e USING (subject, incarnation)
      WHERE (r.kind <> 2 OR r.subject = '') AND r.sequence > $1
      ORDER BY r.sequence;
    PREPARE menud_read_news(text[], bigint[], bigint[]) AS
      SELECT k.subject, r.incarnation, r.edition, r.sequence, r.kind, r.revision, r.payload,
        r.checksum, NULL::bigint,
        (extract(epoch FROM clock_timestamp() - r.time) * 1000000000)::bigint,
        e.incarnation, e.edition
      FROM unnest($1, $2, $3) AS k(subject, incarnation, edition)
      LEFT JOIN menud_subject e USING (subject)
      LEFT JOIN menud_record r ON r.subject = k.subject AND r.incarnation = k.incarnation
        AND r.edition > k.edition AND r.kind = 2
      WHERE (e.incarnation, e.edition) IS DISTINCT FROM (k.incarnation, k.edition);
    PREPARE menud_read_answers(bytea[]) AS
      SELECT key, fingerprint, status, headers, body, expiry, checksum FROM menud_answer
      WHERE key = ANY ($1);
    \(readingOfSubject)
    PREPARE menud_notify(text) AS
      SELECT pg_notify('menud_' || hashtext(current_schema())::text, $1);
    """

  /// The statements for writing. `unnest` is in the list of columns: in FROM its rows are copied first, which takes a
  /// ninth of the time of a change.
  static let writingStatements = """
    \(readingStatements)
    \(catalogLocks)
    PREPARE menud_put_batch(uuid, bigint) AS
      WITH mine AS (UPDATE menud_writer SET batch = $2, gone = NULL
        WHERE id = $1 AND batch = $2 - 1 AND process = pg_backend_pid() RETURNING id)
      SELECT 1 / count(*) FROM mine;
    PREPARE menud_lock_head AS SELECT sequence, removed FROM menud_head FOR UPDATE;
    PREPARE menud_lock_subjects(text[]) AS
      SELECT FROM menud_subject WHERE subject = ANY ($1) ORDER BY subject FOR UPDATE;
    PREPARE menud_add_records(bigint,
        text[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[],
        text[], bigint[], bigint[], bigint[], bytea[], bigint[]) AS
      WITH changed AS (
        UPDATE menud_subject e
          SET edition = k.edition, revision = k.revision, checksum = k.checksum,
            delivers = k.delivers <> 0
        FROM (SELECT unnest($2) AS subject, unnest($3) AS incarnation, unnest($4) AS former,
            unnest($5) AS edition, unnest($6) AS revision, unnest($7) AS checksum,
            unnest($8) AS delivers) AS k
        WHERE e.subject = k.subject AND e.incarnation = k.incarnation AND e.edition = k.former
        RETURNING 1),
      added AS (
        INSERT INTO menud_record
          SELECT subject, incarnation, edition, nextval('menud_sequence'), 2, revision, payload,
            checksum
          FROM (SELECT unnest($9) AS subject, unnest($10) AS incarnation, unnest($11) AS edition,
            unnest($12) AS revision, unnest($13) AS payload, unnest($14) AS checksum) AS r)
      SELECT sqrt((SELECT count(*) FROM changed) - cardinality($2)),
        sqrt(CASE WHEN coalesce((SELECT edition FROM menud_subject WHERE subject = ''), -1) = $1
          THEN 0 ELSE -1 END);
    PREPARE menud_add_opened(text, bigint, bigint, bytea, bigint, bytea, bigint) AS
      WITH opened AS (
        INSERT INTO menud_subject VALUES ($1, $2, 0, $3, $5, nullif($6, ''), $7 <> 0))
      INSERT INTO menud_record VALUES ($1, $2, 0, nextval('menud_sequence'), 1, $3, $4, $5);
    PREPARE menud_add_closed(text, bigint, bigint, bigint, bigint) AS
      WITH closed AS (DELETE FROM menud_subject
        WHERE subject = $1 AND incarnation = $2 AND edition = $3 - 1 RETURNING incarnation),
      forgotten AS (DELETE FROM menud_state WHERE subject = $1),
      past AS (DELETE FROM menud_history WHERE subject = $1 AND incarnation = $2)
      INSERT INTO menud_record VALUES
        ($1, (SELECT incarnation FROM closed), $3, nextval('menud_sequence'), 3, $4, '', $5);
    PREPARE menud_add_history(
        text[], bigint[], bigint[], bigint[], bigint[], bigint[], bytea[], bytea[], bigint[],
        bigint, bigint) AS
      WITH added AS (
        INSERT INTO menud_history
          SELECT subject, incarnation, size + coalesce((
              SELECT h.position FROM menud_history h
              WHERE h.subject = r.subject AND h.incarnation = r.incarnation
              ORDER BY h.position DESC LIMIT 1), 0),
            base, revision, time, record, result, checksum
          FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
            AS r(subject, incarnation, size, base, revision, time, record, result, checksum)
        RETURNING subject, incarnation, position),
      ends AS (
        SELECT subject, incarnation, max(position) AS position FROM added GROUP BY 1, 2),
      surplus AS (
        SELECT h.ctid AS row FROM ends e
        JOIN menud_history h ON h.subject = e.subject AND h.incarnation = e.incarnation
          AND h.position <= e.position - $10
        FOR UPDATE OF h SKIP LOCKED),
      old AS (
        SELECT h.ctid AS row FROM menud_history h
        WHERE h.time < $11 ORDER BY h.time
        LIMIT 4 * cardinality($1) FOR UPDATE SKIP LOCKED)
      DELETE FROM menud_history
      WHERE ctid = ANY (ARRAY(SELECT row FROM surplus UNION SELECT row FROM old));
    PREPARE menud_put_head(uuid) AS
      WITH head AS (
        UPDATE menud_head SET sequence = currval('menud_sequence') RETURNING sequence)
      UPDATE menud_writer w SET sequence = head.sequence FROM head WHERE w.id = $1
      RETURNING head.sequence;
    PREPARE menud_remove_answers(bytea[]) AS DELETE FROM menud_answer WHERE key = ANY ($1);
    PREPARE menud_keep_answers(bigint,
        bytea[], bytea[], bigint[], bytea[], bytea[], bigint[], bigint[]) AS
      WITH kept AS (
        INSERT INTO menud_answer
          SELECT * FROM unnest($2, $3, $4, $5, $6, $7, $8)
            AS a(key, fingerprint, status, headers, body, expiry, checksum) ORDER BY key
        ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint,
          status = excluded.status, headers = excluded.headers, body = excluded.body,
          expiry = excluded.expiry, checksum = excluded.checksum
        WHERE menud_answer.expiry <= $1 RETURNING 1)
      SELECT sqrt((SELECT count(*) FROM kept) - cardinality($2));
    """

  /// The statements of the caretaker. Records that a state replaces, and records of a closed session, stay for the
  /// given number of seconds.
  static let housekeepingStatements = """
    \(readingOfSubject)
    PREPARE menud_put_states(text[], bigint[], bigint[], bigint[], bytea[], bigint[], bigint[]) AS
      WITH open AS MATERIALIZED (
        SELECT subject, incarnation FROM menud_subject WHERE subject = ANY ($1)
        ORDER BY subject FOR KEY SHARE)
      INSERT INTO menud_state
        SELECT k.subject, k.incarnation, k.edition, r.sequence, k.revision, k.payload,
          k.record_checksum, k.checksum
        FROM unnest($1, $2, $3, $4, $5, $6, $7) AS k(subject, incarnation, edition, revision,
          payload, record_checksum, checksum)
        JOIN open USING (subject, incarnation)
        JOIN menud_record r USING (subject, incarnation, edition)
        WHERE r.checksum = k.record_checksum ORDER BY k.subject
      ON CONFLICT (subject) DO UPDATE SET incarnation = excluded.incarnation,
        edition = excluded.edition, sequence = excluded.sequence, revision = excluded.revision,
        payload = excluded.payload, record_checksum = excluded.record_checksum,
        checksum = excluded.checksum, time = clock_timestamp()
      WHERE menud_state.incarnation <> excluded.incarnation
        OR menud_state.edition < excluded.edition;
    PREPARE menud_remove_covered(bigint, bigint) AS
      WITH covered AS MATERIALIZED (
        SELECT r.subject, r.incarnation, r.edition FROM menud_state s
        JOIN menud_record r ON r.subject = s.subject AND r.incarnation = s.incarnation
          AND r.edition <= s.edition
        WHERE s.time > now() - make_interval(secs => $1) AND r.time < now() - make_interval(secs => $2)
        LIMIT 4096),
      gone AS (
        DELETE FROM menud_record r USING covered c
        WHERE r.subject = c.subject AND r.incarnation = c.incarnation AND r.edition = c.edition
        RETURNING r.subject, r.kind, r.sequence),
      last AS (SELECT max(sequence) AS number FROM gone WHERE kind <> 2 OR subject = ''),
      told AS (UPDATE menud_head SET removed = number FROM last WHERE number > removed)
      SELECT count(*) FROM gone;
    PREPARE menud_remove_closed(bigint) AS
      WITH closed AS (
        SELECT subject, incarnation, edition, sequence FROM menud_record
        WHERE kind = 3 AND time < now() - make_interval(secs => $1) ORDER BY sequence LIMIT 1024),
      told AS (
        UPDATE menud_head SET removed = greatest(removed, (SELECT max(sequence) FROM closed))
        WHERE EXISTS (SELECT FROM closed)),
      gone AS (
        DELETE FROM menud_record r USING closed c
        WHERE r.subject = c.subject AND r.incarnation = c.incarnation AND r.edition <= c.edition)
      SELECT count(*) FROM closed;
    PREPARE menud_remove_expired(bigint, bigint) AS
      WITH gone AS (
        DELETE FROM menud_answer
        WHERE expiry <= $1 AND key IN (
          SELECT key FROM menud_answer WHERE expiry <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING 1)
      SELECT count(*) FROM gone;
    PREPARE menud_remove_surplus(bigint) AS
      DELETE FROM menud_answer a
      USING (SELECT key, expiry FROM menud_answer ORDER BY expiry DESC, key OFFSET $1) AS s
      WHERE a.key = s.key AND a.expiry = s.expiry;
    PREPARE menud_remove_writers AS
      WITH alive AS MATERIALIZED (
        SELECT w.id FROM menud_writer w JOIN pg_stat_activity a ON a.pid = w.process
          AND coalesce(a.backend_start = w.started, true)),
      removed AS (
        DELETE FROM menud_writer WHERE gone < now() - interval '1 hour'
          AND id NOT IN (SELECT id FROM alive))
      UPDATE menud_writer SET gone = now()
      WHERE gone IS NULL AND process IS NOT NULL AND id NOT IN (SELECT id FROM alive);
    PREPARE menud_read_older(text[], bigint) AS
      SELECT r.subject, max(r.time) < now() - make_interval(secs => $2), max(r.edition)
      FROM menud_record r JOIN menud_subject e USING (subject, incarnation)
      LEFT JOIN menud_state s USING (subject, incarnation)
      WHERE r.subject <> '' AND r.subject <> ALL ($1) AND r.kind = 2
        AND r.edition > coalesce(s.edition, -1) AND r.sequence <
          (SELECT max(c.sequence) FROM menud_record c
            WHERE c.subject = '' AND c.edition > coalesce(
              (SELECT edition FROM menud_state WHERE subject = ''), 0))
      GROUP BY r.subject ORDER BY 2 DESC LIMIT 4096;
    """
}
