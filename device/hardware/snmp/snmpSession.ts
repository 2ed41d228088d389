import {
  AuthProtocols,
  createSession,
  createV3Session,
  isVarbindError,
  ObjectType,
  PrivProtocols,
  RequestFailedError,
  SecurityLevel,
  type Session,
  type Varbind,
  Version1,
  Version2c,
  Version3,
} from 'net-snmp'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { SNMP } from '#domain/drivers/snmpDescription.ts'
import { HardwareError } from '../hardware.ts'
import { lateText, lineName } from '../wire/line.ts'
import type { SnmpSet } from './snmpProfiles.ts'

type SnmpOptions = OptionsOf<typeof SNMP>

export type SnmpVersion = SnmpOptions['version']

/** Nothing has answered. */
export class SnmpSilence extends HardwareError {}
/** The instrument refused the request as a whole. */
export class SnmpRefusal extends HardwareError {}

export interface SnmpSession {
  /** Returns values by OID, without missing ones. Throws `SnmpRefusal` when all of them are refused. */
  get(oids: readonly string[]): Promise<Map<string, number>>
  /** Returns the OIDs in a column of a table, row by row; at most the first `most` rows. */
  namesIn(column: string, most: number): Promise<readonly string[]>
  /** Sets all of them or none, as SNMP guarantees. Throws `SnmpRefusal` when it is refused. */
  set(sets: readonly SnmpSet[]): Promise<void>
}

export interface SnmpTry {
  readonly version: SnmpVersion
  readonly answersWithinMs: number
}

/** @throws HardwareError in whole words */
export async function withSnmp<Result>(
  options: SnmpOptions,
  how: SnmpTry,
  signal: AbortSignal,
  work: (session: SnmpSession) => Promise<Result>,
): Promise<Result> {
  const where = lineName(options)
  const session = open(options, how)
  const { promise: ended, reject: end } = Promise.withResolvers<never>()
  ended.catch(() => undefined)
  const abort = () => end(new HardwareError(lateText(where)))
  session.on('error', (error) => end(new HardwareError(`${where} cannot be used (${error.message}).`)))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work(sessionOn(session, where)), ended])
  } finally {
    signal.removeEventListener('abort', abort)
    session.close()
  }
}

function open(options: SnmpOptions, { version, answersWithinMs }: SnmpTry): Session {
  const { host, port, community = '', user = '' } = options
  const how = {
    port,
    transport: host.includes(':') ? 'udp6' : 'udp4',
    // A command is sent once, since only its answer may have been lost; a reader asks again in another way.
    retries: 0,
    timeout: answersWithinMs,
    backoff: 1,
  } as const
  if (version !== '3')
    return createSession(host, community, { ...how, version: version === '1' ? Version1 : Version2c })
  const { authProtocol, authPassword, privProtocol, privPassword } = options
  const level =
    authPassword === undefined
      ? SecurityLevel.noAuthNoPriv
      : privPassword === undefined
        ? SecurityLevel.authNoPriv
        : SecurityLevel.authPriv
  return createV3Session(
    host,
    {
      name: user,
      level,
      ...(authPassword !== undefined && { authProtocol: AuthProtocols[authProtocol], authKey: authPassword }),
      ...(privPassword !== undefined && { privProtocol: PrivProtocols[privProtocol], privKey: privPassword }),
    },
    { ...how, version: Version3 },
  )
}

function sessionOn(session: Session, where: string): SnmpSession {
  const answer = (ask: (done: (error: Error | null, varbinds?: Varbind[]) => void) => void) =>
    new Promise<readonly Varbind[]>((resolve, reject) => {
      ask((error, varbinds = []) => {
        if (error) reject(failureOf(where, error))
        else resolve(varbinds)
      })
    })
  return {
    async get(oids) {
      const varbinds = await answer((done) => session.get([...oids], done))
      const known = new Map<string, number>()
      for (const varbind of varbinds) {
        const number = isVarbindError(varbind) ? undefined : numberOf(varbind)
        if (number !== undefined) known.set(varbind.oid, number)
      }
      return known
    },
    async namesIn(column, most) {
      const names: string[] = []
      let at = column
      while (names.length < most) {
        const [next] = await answer((done) => session.getNext([at], done)).catch((error: unknown) => {
          // Version 1 answers with a refusal at the end of the last table.
          if (error instanceof SnmpRefusal) return []
          throw error
        })
        if (!next || isVarbindError(next) || !next.oid.startsWith(`${column}.`)) break
        at = next.oid
        if (next.type === ObjectType.OID) names.push(String(next.value))
      }
      return names
    },
    async set(sets) {
      await answer((done) =>
        session.set(
          sets.map(({ oid, value }) => ({
            oid,
            value,
            type: typeof value === 'string' ? ObjectType.OID : ObjectType.Integer,
          })),
          done,
        ),
      )
    },
  }
}

/** Instruments report numbers as numbers, as counters of eight bytes, or as text followed by a unit. */
function numberOf({ value, type }: Varbind): number | undefined {
  if (typeof value === 'number') return value
  if (!Buffer.isBuffer(value)) return undefined
  if (type === ObjectType.Counter64)
    return value.length === 0 ? undefined : Number(BigInt(`0x${value.toString('hex')}`))
  const text = value.toString('latin1').trim()
  const [, number] = /^(-?\d+(?:\.\d+)?)(?: ?[A-Za-z%°]{1,4})?$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}

function failureOf(where: string, error: Error): HardwareError {
  if (error.name === 'RequestTimedOutError') {
    return new SnmpSilence(`Nothing answers at ${where} in time, or not to these credentials.`)
  }
  if (error instanceof RequestFailedError) {
    return new SnmpRefusal(`What answers at ${where} refuses that (${error.message}).`)
  }
  return new HardwareError(`${where} does not take these credentials, or does not speak SNMP (${error.message}).`)
}
