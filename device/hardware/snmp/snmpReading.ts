import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { SNMP } from '#domain/drivers/snmpDescription.ts'
import { SnmpRefusal, type SnmpSession, SnmpSilence, type SnmpVersion, withSnmp } from './snmpSession.ts'

type SnmpOptions = OptionsOf<typeof SNMP>
type Oids = readonly string[]

/** A reading has four seconds: one timeout, two searches for the reason, and the reading that follows. */
const ANSWERS_WITHIN_MS = 1500
const LOOKS_FOR_MS = 750
/** One lost datagram does not show a limit of the card. */
const SILENT_TO_MANY_AFTER = 2

/** The limits that an instrument has shown, kept as long as it is open. */
export interface SnmpHabits {
  readonly version: SnmpVersion
  /** Counts how often in a row it has answered a single question but not all of them together. */
  readonly silencesToMany: number
}

export interface SnmpRead {
  readonly known: ReadonlyMap<string, number>
  readonly habits: SnmpHabits
}

/**
 * Reads those of these objects that exist. Cards that lack one of them, or accept only a few in one request, refuse the
 * whole request; some do not answer it at all; some know only version 1. Each is read all the same, and what it lacks
 * is unknown.
 *
 * @throws HardwareError in whole words when nothing at all can be read
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

/** Finds the version by one question: any answer counts, even a refusal. */
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

/** What is refused is requested again in halves; what is refused alone does not exist. */
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

/** Requests one part at a time, which is all these instruments handle. Throws if every part is refused. */
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
