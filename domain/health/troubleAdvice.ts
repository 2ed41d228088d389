/** The action against a trouble of a process: `says` is its sentence, with … for the variable parts. */
interface TroubleAdvice {
  readonly says: string
  readonly advice: string
}

/** A test compares this list with the page `docs/guide/run/operations.md`. */
const TROUBLE_ADVICE: readonly TroubleAdvice[] = [
  {
    says: 'The database does not answer.',
    advice:
      'Is it running? Its own log says why not. The embedded one restarts automatically; if that keeps failing, the journal says so.',
  },
  {
    says: 'The database does not answer …: their connections are dead, or all in use.',
    advice:
      "A firewall or a proxy between the two that lost connections: they are replaced within seconds. If it stays, something holds locks: select * from pg_stat_activity where wait_event_type = 'Lock'.",
  },
  {
    says: 'Workers of the database cannot be reached: ….',
    advice:
      'Is PostgreSQL running there, and may the coordinator sign in? The devices that lie there keep their reports until it is back, and their charts fail.',
  },
  {
    says: 'Nothing can be stored in time: the database does not answer.',
    advice: 'Reads may still work. Look whether it runs, at its own log, and at the load of its disk.',
  },
  {
    says: 'The disk of the database is full.',
    advice: 'Make room or enlarge it. Everything then continues automatically.',
  },
  {
    says: 'The disk of the database has no inodes left: whatever needs another file fails, although … MB are free.',
    advice: 'Remove small files from that disk (df -i). Reports are stored as long as no new file is needed for them.',
  },
  {
    says: 'The database has no memory left.',
    advice: 'Something else on its machine takes it, or its settings ask for more than there is.',
  },
  {
    says: 'The database has no connection left.',
    advice: 'max_connections is too low for all servers: each needs about thirty.',
  },
  {
    says: 'The database takes no changes: it is read-only.',
    advice: 'It is a standby: promote it, or point DATABASE_URL at the other one.',
  },
  {
    says: 'The database cannot read or write its files.',
    advice: 'Its disk fails. Take what can be copied, and restore onto another.',
  },
  {
    says: 'The database is starting or stopping.',
    advice: 'Wait; after a crash it replays its log.',
  },
  {
    says: 'The database refuses the password.',
    advice: 'DATABASE_URL is not what the role has now.',
  },
  {
    says: 'The database does not exist.',
    advice: 'DATABASE_URL names another one than was made.',
  },
  {
    says: 'Reports of devices have not been stored for … s.',
    advice: 'The sentence behind it says why. Devices keep them.',
  },
  {
    says: 'The database does not take them.',
    advice:
      'It stands behind the sentence above where nothing more is known: see the log for The database could not store a batch of reports.',
  },
  {
    says: 'The disk of the data folder is full: … MB are free.',
    advice: 'Make room under WAYSIDE_DATA; releases that no device has any more can be deleted in the console.',
  },
  {
    says: 'The disk of the data folder has only … inodes left, although … MB are free.',
    advice:
      'Very many small files lie on that disk: df -i says how many. Remove them, or make a file system with more inodes.',
  },
  {
    says: 'No process has led for … s: no mails, roll-ups or updates of clients meanwhile.',
    advice: 'Does a process with the role jobs run, and does it reach the database as the owner (DATABASE_OWNER_URL)?',
  },
  {
    says: 'There are scheduled jobs that fail each time they run: ….',
    advice:
      'Look for a job failed and will be tried again with the name of the job: the line has the cause. Each is retried automatically.',
  },
  {
    says: "The clock of this process is … the database's: …",
    advice: 'Set the clock of whichever is wrong.',
  },
  {
    says: 'The clock jumped …',
    advice:
      'If the time is right now: npm run admin -- drop-old-days says which days would go, with --confirm they do.',
  },
  {
    says: 'Days beyond retention could not be dropped: …',
    advice:
      'The words of the database stand behind it; most often a session that holds a lock on a day, such as a dump.',
  },
  {
    says: 'Days of readings could not be closed: …',
    advice: 'The readings stay where they are, and it is tried again every ten minutes. Is there room on the disk?',
  },
  {
    says: 'The disk of the backups is nearly full: … MB are free.',
    advice: 'Make room, or keep fewer days (WAYSIDE_BACKUP_KEEP_DAYS).',
  },
  {
    says: 'The folder of backups (WAYSIDE_BACKUP_FOLDER) cannot be read and written: ….',
    advice: 'Is it mounted, and may the user of the service write there?',
  },
  {
    says: 'The newest whole backup is … hours old.',
    advice: 'Look for a job failed and will be tried again with a backup job: folder, key file, rights.',
  },
  {
    says: 'There is no whole backup yet.',
    advice: 'Look for a job failed and will be tried again with a backup job: folder, key file, rights.',
  },
  {
    says: 'The log of the database has not reached the backups for … minutes.',
    advice: 'The folder cannot be written, or the database allows no replication.',
  },
  {
    says: 'There is a gap in the backups from …',
    advice:
      'Moments before and behind it can be restored. It is reported until it is older than WAYSIDE_BACKUP_KEEP_DAYS. Usual causes: the log was held for longer than the database could, or WAYSIDE_BACKUP_FOLDER named another folder meanwhile.',
  },
  {
    says: 'The setting WAYSIDE_BACKUP_FOLDER is missing, and backups were taken before: the database holds its log for them until …, up to … GB.',
    advice:
      'Set it again before then, and no moment is lost. If backups are to end, npm run backup -- --off gives the log free.',
  },
  {
    says: 'There is no WAYSIDE_BACKUP_KEY, and the backups in the folder are encrypted: none is taken without it, and the database holds its log for them.',
    advice: 'Set the key again, or another one, or name another folder for backups that are not encrypted.',
  },
  {
    says: 'The certificate has expired at …: browsers and devices refuse it.',
    advice: 'Put a new one in place; it is read within ten seconds.',
  },
  {
    says: 'The certificate is valid only from … on.',
    advice: 'The clock of the machine, or a file of tomorrow.',
  },
  {
    says: 'The certificate expires at … and was not renewed.',
    advice: "Whatever renews it has not written the files: certbot's timer, its own log.",
  },
  {
    says: '… The one from before is used, until ….',
    advice: 'The new files are cut off, do not fit together, or cannot be read by the user of the service.',
  },
  {
    says: 'The key of kept secrets is not in …: channels, identity providers, authenticator apps and drivers wait for it.',
    advice:
      'Put it back from where you keep it, beside the backups and apart from them; it is read at once. Where it is lost: npm run admin -- replace-lost-secrets-key.',
  },
  {
    says: 'There are kept secrets that cannot be read any more, because their key was lost: ….',
    advice:
      'Enter them again: of channels, identity providers and drivers. Who had an authenticator app adds one anew after npm run admin -- reset-factors.',
  },
]

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A trouble may be followed by its cause, as a separate sentence. */
const KNOWN = TROUBLE_ADVICE.map(({ says, advice }) => ({
  pattern: new RegExp(`^${says.split('…').map(literal).join('[^]*?')}`),
  advice,
}))

/** @returns undefined for a sentence without advice */
export const adviceFor = (trouble: string): string | undefined =>
  KNOWN.find(({ pattern }) => pattern.test(trouble))?.advice
