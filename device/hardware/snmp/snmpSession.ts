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
  Version2c,
  Version3,
} from 'net-snmp'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { SNMP } from '#domain/drivers/snmpDescription.ts'
import { HardwareError } from '../hardware.ts'
import { lateWords, lineName } from '../wire/line.ts'
import type { SnmpSet } from './snmpProfiles.ts'

type SnmpOptions = OptionsOf<typeof SNMP>

/** A datagram can be lost; an order is sent once all the same, since its answer can be lost as well. */
const READ_RETRIES = 1
const ANSWERS_WITHIN_MS = 1500

export interface SnmpSession {
  /** By OID; what the instrument does not have is not in it. */
  get(oids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** All of them or none, as SNMP promises. Throws `HardwareError` where it is refused. */
  set(sets: readonly SnmpSet[]): Promise<void>
}

/** @throws HardwareError in whole words */
export async function withSnmp<Result>(
  options: SnmpOptions,
  isOrder: boolean,
  signal: AbortSignal,
  work: (session: SnmpSession) => Promise<Result>,
): Promise<Result> {
  const where = lineName(options)
  const session = open(options, isOrder)
  const { promise: ended, reject: end } = Promise.withResolvers<never>()
  ended.catch(() => undefined)
  const abort = () => end(new HardwareError(lateWords(where)))
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

function open(options: SnmpOptions, isOrder: boolean): Session {
  const { host, port, version, community = '', user = '' } = options
  const how = {
    port,
    transport: host.includes(':') ? 'udp6' : 'udp4',
    retries: isOrder ? 0 : READ_RETRIES,
    timeout: ANSWERS_WITHIN_MS,
    backoff: 1,
  } as const
  if (version === '2c') return createSession(host, community, { ...how, version: Version2c })
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
        if (error) reject(new HardwareError(failureWords(where, error)))
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

/** Instruments tell numbers as numbers, as counters of eight bytes, and some as text. */
function numberOf({ value, type }: Varbind): number | undefined {
  if (typeof value === 'number') return value
  if (!Buffer.isBuffer(value)) return undefined
  if (type === ObjectType.Counter64)
    return value.length === 0 ? undefined : Number(BigInt(`0x${value.toString('hex')}`))
  const text = value.toString('latin1').trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

function failureWords(where: string, error: Error): string {
  if (error.name === 'RequestTimedOutError') return `Nothing answers at ${where} in time, or not to these credentials.`
  if (error instanceof RequestFailedError) return `What answers at ${where} refuses that (${error.message}).`
  return `${where} does not take these credentials, or does not speak SNMP (${error.message}).`
}
