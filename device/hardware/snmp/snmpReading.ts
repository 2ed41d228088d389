import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { SNMP } from '#domain/drivers/snmpDescription.ts'
import { SnmpRefusal, type SnmpSession, SnmpSilence, type SnmpVersion, withSnmp } from './snmpSession.ts'

type SnmpOptions = OptionsOf<typeof SNMP>
type Oids = readonly string[]

/** A reading has four seconds: one silence, two looks for the reason, and what is read then. */
const ANSWERS_WITHIN_MS = 1500
const LOOKS_FOR_MS = 750
/** A datagram that was lost once is no habit. */
const SILENT_TO_MANY_AFTER = 2

/** What an instrument was found to bear, kept for as long as it is open. */
export interface SnmpHabits {
  readonly version: SnmpVersion
  /** How often in a row it has answered one question and not all of them together. */
  readonly silencesToMany: number
}

export interface SnmpRead {
  readonly known: ReadonlyMap<string, number>
  readonly habits: SnmpHabits
}

/**
 * Reads what there is of these objects. Cards that lack one of them, or bear only a few in one request, refuse the request as
 * a whole; some do not answer it at all; some speak version 1 alone. Each is read all the same, and what it lacks is unknown.
 *
 * @throws HardwareError in whole words, where nothing at all can be read
 */
export async function readSnmp(
  options: SnmpOptions,
  habits: SnmpHabits,
  oids: Oids,
  signal: AbortSignal,
): Promise<SnmpRead> {
  const { version, silencesToMany } = habits
  if (silencesToMany < SILENT_TO_MANY_AFTER) {
    try {
      const known = await ask(options, version, signal, (session) => getInHalves(session, oids))
      return { known, habits: { version, silencesToMany: 0 } }
    } catch (error) {
      if (!(error instanceof SnmpSilence)) throw error
    }
  }
  const spoken = await versionSpoken(options, version, oids, signal)
  if (spoken !== version) return readSnmp(options, { version: spoken, silencesToMany: 0 }, oids, signal)
  const known = await ask(options, spoken, signal, (session) => getEach(session, oids))
  return { known, habits: { version, silencesToMany: silencesToMany + 1 } }
}

function ask<Result>(
  options: SnmpOptions,
  version: SnmpVersion,
  signal: AbortSignal,
  work: (session: SnmpSession) => Promise<Result>,
): Promise<Result> {
  return withSnmp(options, { version, answersWithinMs: ANSWERS_WITHIN_MS }, signal, work)
}

/** By one question: that one to which anything is answered, be it a refusal. */
async function versionSpoken(
  options: SnmpOptions,
  version: SnmpVersion,
  [first = '']: Oids,
  signal: AbortSignal,
): Promise<SnmpVersion> {
  const isAnswered = (tried: SnmpVersion) =>
    withSnmp(options, { version: tried, answersWithinMs: LOOKS_FOR_MS }, signal, (session) =>
      getInHalves(session, [first]),
    )
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof SnmpRefusal) return true
        throw error
      })
  try {
    await isAnswered(version)
    return version
  } catch (error) {
    if (version !== '2c' || !(error instanceof SnmpSilence)) throw error
  }
  await isAnswered('1')
  return '1'
}

/** What is refused is asked for again in halves; what is refused alone is not there. */
async function getInHalves(session: SnmpSession, oids: Oids): Promise<Map<string, number>> {
  try {
    return await session.get(oids)
  } catch (error) {
    if (!(error instanceof SnmpRefusal) || oids.length < 2) throw error
    const middle = Math.ceil(oids.length / 2)
    return together(session, [oids.slice(0, middle), oids.slice(middle)], getInHalves)
  }
}

const getEach = (session: SnmpSession, oids: Oids) =>
  together(
    session,
    oids.map((oid) => [oid]),
    (one, part) => one.get(part),
  )

/** One part after the other, as these instruments like it. Throws the first refusal where all of it is refused. */
async function together(
  session: SnmpSession,
  parts: readonly Oids[],
  get: (session: SnmpSession, part: Oids) => Promise<Map<string, number>>,
): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  const refusals: SnmpRefusal[] = []
  for (const part of parts) {
    try {
      for (const [oid, value] of await get(session, part)) known.set(oid, value)
    } catch (error) {
      if (!(error instanceof SnmpRefusal)) throw error
      refusals.push(error)
    }
  }
  const [refusal] = refusals
  if (refusal && refusals.length === parts.length) throw refusal
  return known
}
