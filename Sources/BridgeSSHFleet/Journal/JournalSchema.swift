/// The tables of a journal.
enum JournalSchema {
    /// One row in `run`. A row in `host` for each host of the run, in its order; `access` is what is known of it beside its name. A row
    /// in `turn` each time that the run, or a resumed one, comes to a host: the last in which the command may have run says what
    /// became of it, or else the last. `closed` is 1 while nothing is in the write-ahead log that is not in the database.
    ///
    /// `output` has row numbers, so that its keys stand apart from the outputs: a search among keys would read the outputs beside
    /// them, megabytes each. In journals of version 0.1 it has none.
    static let tables = """
        CREATE TABLE run (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            command TEXT NOT NULL,
            commandIsWhole INTEGER NOT NULL,
            commandDigest BLOB NOT NULL,
            scriptPath TEXT,
            scriptDigest BLOB,
            planDigest BLOB,
            arguments TEXT NOT NULL,
            argumentsAreWhole INTEGER NOT NULL,
            keepsOutput INTEGER NOT NULL,
            startedAt INTEGER NOT NULL,
            finishedAt INTEGER,
            exitStatus INTEGER,
            closed INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE host (
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            access TEXT
        ) STRICT;
        CREATE TABLE turn (
            id INTEGER PRIMARY KEY,
            host INTEGER NOT NULL REFERENCES host (position),
            armedAt INTEGER,
            endedAt INTEGER,
            outcome TEXT CHECK (outcome IN ('ok', 'failed', 'error', 'unknown', 'skipped')),
            code TEXT,
            exitStatus INTEGER,
            attempts INTEGER,
            batch INTEGER,
            beganSeconds REAL,
            durationSeconds REAL,
            detail TEXT,
            CHECK (armedAt IS NOT NULL OR outcome IS NOT NULL),
            CHECK ((outcome IS NULL) = (endedAt IS NULL))
        ) STRICT;
        CREATE INDEX turnOfHost ON turn (host, id);
        CREATE TABLE output (
            turn INTEGER NOT NULL REFERENCES turn (id),
            stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')),
            bytes BLOB NOT NULL,
            total INTEGER NOT NULL,
            restDigest BLOB NOT NULL,
            PRIMARY KEY (turn, stream)
        ) STRICT;
        """ + copied

    /// The files that were copied whole to or from a host that is not done; by the source's path. Journals of version 0.1 lack it.
    static let copied = """
        CREATE TABLE IF NOT EXISTS copied (
            host INTEGER NOT NULL REFERENCES host (position),
            file TEXT NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (host, file)
        ) STRICT, WITHOUT ROWID;
        """

    /// The tables whose integrity is checked before a journal is used; the outputs would take too long.
    static let checked = ["run", "host", "turn"]
}
