import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { momentValue } from '#contract/call/values.ts'

const trouble = z.object({
  text: z.string(),
  /** What to do about it; null when no advice was written. */
  advice: z.string().nullable(),
})

export const systemProcess = z.object({
  id: z.string(),
  startedAt: momentValue,
  /** The process reports every few seconds; null before its first report, and for versions without reports. */
  told: z
    .object({
      at: momentValue,
      version: z.string(),
      roles: z.array(z.string()),
      isLeading: z.boolean(),
      connectedDevices: z.number().int(),
      memoryBytes: z.number().int(),
      /** The age of the oldest report that waits for the database; 0 when none waits. */
      reportsWaitSeconds: z.number(),
      troubles: z.array(trouble),
      disks: z.array(z.object({ name: z.string(), freeBytes: z.number(), sizeBytes: z.number() })),
      jobs: z.array(
        z.object({
          name: z.string(),
          endedAt: momentValue,
          succeededAt: momentValue.nullable(),
          /** True when its last run failed and its next one is overdue; then it is among the troubles too. */
          isFailing: z.boolean(),
        }),
      ),
    })
    .nullable(),
})
export type SystemProcess = z.output<typeof systemProcess>

export const systemState = z.object({
  /** Sorted by age, the oldest first. */
  processes: z.array(systemProcess),
  /** Each kind of data: since when there is some, its size, for how long it is kept, and when its oldest goes. */
  kept: z.array(
    z.object({
      /** Open days are rows and are closed next; closed days are files. */
      kind: z.enum(['open', 'closed', 'messages', 'means', 'light', 'alerts']),
      from: momentValue.nullable(),
      bytes: z.number(),
      keptDays: z.number().int(),
      goesAt: momentValue.nullable(),
    }),
  ),
  closing: z.object({
    /** So many days are old enough and still open. */
    daysLeft: z.number().int(),
    /** When days were last closed or late readings merged; null before the first time. */
    ranAt: momentValue.nullable(),
    /** The share of a processor core that this took. */
    share: z.number().nullable(),
  }),
  databaseBytes: z.number(),
  /** The machines that Citus distributes readings over; none when all are in one database. */
  workers: z.array(
    z.object({
      name: z.string(),
      /** Null while it cannot be reached. */
      bytes: z.number().nullable(),
    }),
  ),
  /** The number of days after today for which every table of readings has its partition. */
  partitionsAheadDays: z.number().int(),
  mailsWaiting: z.number().int(),
  mailsWaitSeconds: z.number(),
  commandsWaiting: z.number().int(),
  /** The number of component hours that have ended and are not rolled up. */
  rollupHoursWaiting: z.number().int(),
  /** The last moment at which no hour was left to roll up. */
  rollupsWholeAt: momentValue.nullable(),
  /** Null when no copies are taken. Values that cannot be read now are null. */
  backups: z
    .object({
      copies: z.number().int().nullable(),
      newestCopySeconds: z.number().nullable(),
      /** Everything up to this long ago can be restored. */
      restorableSeconds: z.number().nullable(),
    })
    .nullable(),
})
export type SystemState = z.output<typeof systemState>
/** These figures hold for all processes together. */
export type SystemFigures = Omit<SystemState, 'processes' | 'kept' | 'closing' | 'workers'>

export const getSystemState = call({
  method: 'GET',
  path: 'System/GetSystemState',
  summary: 'How the system is: its processes and their troubles with what to do, what waits, backups.',
  permission: 'staffAdmin',
  shows: [],
  answer: systemState,
})
