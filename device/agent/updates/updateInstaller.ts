import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AssignedRelease, type ClientProgress, clientProgressId } from '#contract/mqtt/client.ts'
import { fileBytes } from '#domain/releases/header.ts'
import { isTargetForGoingBack, verifyRelease } from '#domain/releases/verifyRelease.ts'
import { compareVersions } from '#domain/releases/version.ts'
import { backOffMs } from '../link/backOff.ts'
import { DiskError, type Download, type DownloadEnd, onDisk, sizeOf } from '../link/linkDownload.ts'
import type { DeviceStore } from '../store/deviceStore.ts'
import type { ClientPlace } from './clientPlace.ts'
import { openUpdateNotes } from './updateNotes.ts'

const NO_LAUNCHER = 'The client of this device was started without its launcher, so it cannot be replaced.'
const NO_KEYS = "This device's configuration holds no release key; download its configuration again."
/** Attempts in a row without a new byte, while the server is connected. */
const MOST_TRIES = 8
const TELL_EVERY_MS = 5000
/** The restart waits this long for "restarting" to reach the server; it is reported again afterwards anyway. */
const LONGEST_FAREWELL_MS = 3000
/** A launcher that cannot write tries nothing, and would start this client forever. */
const MOST_PLANS = 3
const LONGEST_SETTLING_MS = 30_000
const SETTLING_LOOK_MS = 100

/** Fetches what is missing of the file; see `linkDownload.ts`. */
export type FetchRelease = (
  offer: AssignedRelease,
  rest: Pick<Download, 'file' | 'totalBytes' | 'onBytes' | 'signal'>,
) => Promise<DownloadEnd>

export interface UpdateInstallerDeps {
  readonly store: DeviceStore
  readonly version: string
  /** Base64 of Ed25519 public keys. */
  readonly releaseKeys: () => readonly string[]
  /** Absent when nothing could start another version. */
  readonly place: ClientPlace | undefined
  readonly fetchRelease: FetchRelease
  /** Resolves at the PUBACK. */
  readonly publish: (id: string, progress: ClientProgress) => Promise<void>
  readonly isUp: () => boolean
  readonly random: () => number
  readonly say: (msg: string) => void
}

/** Replaces the client of the device by the assigned release, and reports the progress to the server. */
export interface UpdateInstaller {
  /** Reports the result of the update that has brought this program, or the old one back. */
  start(): void
  /** Takes the assignment of the newest settings document. */
  hear(offer: AssignedRelease | null): void
  up(): void
  /** The server has stored a report that this program made. */
  healthy(): void
  stop(): void
}

/** Ends an update; the sentence is for operators. */
class UpdateFailure extends Error {}

export function createUpdateInstaller(deps: UpdateInstallerDeps): UpdateInstaller {
  const { place, version, say } = deps
  const notes = openUpdateNotes(deps.store)
  let work: { readonly offer: AssignedRelease; readonly aborter: AbortController } | undefined
  /** Other assignments wait until a trial is confirmed. */
  let trialId = place?.trialId
  let heardInTrial: AssignedRelease | null | undefined
  let isLeaving = false
  let wakeWhenUp = Promise.withResolvers<void>()

  const send = (progress: ClientProgress): Promise<void> => {
    if (!deps.isUp()) return Promise.resolve()
    return deps.publish(clientProgressId(progress.updateId), progress).then(
      () => notes.sent(progress),
      () => undefined,
    )
  }
  const tell = (
    { updateId }: Pick<AssignedRelease, 'updateId'>,
    step: ClientProgress['step'],
    more: Partial<Pick<ClientProgress, 'receivedBytes' | 'reason'>> = {},
  ) => {
    const progress = { updateId, step, version, receivedBytes: null, reason: null, ...more }
    notes.note(progress)
    return send(progress)
  }
  const done = (update: Pick<AssignedRelease, 'updateId'>) => {
    void tell(update, 'done')
    say(`Updated: this is client ${version}.`)
  }
  const failed = (update: Pick<AssignedRelease, 'updateId' | 'version'>, reason: string) => {
    void tell(update, 'failed', { reason })
    say(`Update to client ${update.version} failed: ${reason}`)
  }

  const partOf = ({ sha256 }: AssignedRelease, { downloadFolder }: ClientPlace) =>
    join(downloadFolder, `${sha256}.part`)

  /** Resolves with the whole file, which is not checked yet. */
  const fetchWhole = async (offer: AssignedRelease, at: ClientPlace, signal: AbortSignal): Promise<void> => {
    const file = partOf(offer, at)
    const totalBytes = fileBytes(offer)
    const received = (bytes: number) => ({ receivedBytes: Math.max(0, bytes - (totalBytes - offer.bytes)) })
    let toldAtMs = performance.now()
    const onBytes = (bytes: number) => {
      if (performance.now() - toldAtMs < TELL_EVERY_MS || signal.aborted) return
      toldAtMs = performance.now()
      void tell(offer, 'downloading', received(bytes))
    }
    for (let tries = 1; ; tries++) {
      const before = sizeOf(file)
      void tell(offer, 'downloading', received(before))
      const end = await deps.fetchRelease(offer, { file, totalBytes, onBytes, signal })
      signal.throwIfAborted()
      if (end.kind === 'whole') return
      if (end.kind === 'refused' || end.kind === 'disk') throw new UpdateFailure(end.sentence)
      // An attempt without a network does not count.
      if (sizeOf(file) > before || end.kind === 'busy' || !deps.isUp()) tries = 0
      if (end.kind === 'cut' && tries >= MOST_TRIES) {
        throw new UpdateFailure(`The release could not be downloaded in ${MOST_TRIES} tries: ${end.reason}.`)
      }
      const asked = end.kind === 'busy' ? end.waitMs : undefined
      await pause(asked ?? backOffMs(Math.max(tries, 1), deps.random()), signal)
      if (!deps.isUp()) await Promise.race([wakeWhenUp.promise, aborted(signal)])
      signal.throwIfAborted()
    }
  }

  /** Throws `UpdateFailure` unless this is the assigned release, signed for this device. */
  const check = async (content: Uint8Array, offer: AssignedRelease): Promise<void> => {
    const verdict = await verifyRelease(content, deps.releaseKeys())
    if ('refusal' in verdict) throw new UpdateFailure(verdict.refusal.sentence)
    const { release } = verdict
    if (release.version === offer.version && release.sha256 === offer.sha256) return
    throw new UpdateFailure(`The server sent version ${release.version} where ${offer.version} was announced.`)
  }

  const fetchChecked = async (offer: AssignedRelease, at: ClientPlace, signal: AbortSignal): Promise<void> => {
    const file = partOf(offer, at)
    onDisk(() => {
      mkdirSync(at.downloadFolder, { recursive: true, mode: 0o700 })
      for (const other of readdirSync(at.downloadFolder)) {
        if (join(at.downloadFolder, other) !== file) rmSync(join(at.downloadFolder, other), { force: true })
      }
    })
    const isResumed = sizeOf(file) > 0
    await fetchWhole(offer, at, signal)
    void tell(offer, 'verifying', { receivedBytes: offer.bytes })
    try {
      await check(readFileSync(file), offer)
    } catch (error) {
      rmSync(file, { force: true })
      // A part on disk may be damaged by a power cut, so it is fetched again; a whole download is what the server has.
      if (!isResumed || !(error instanceof UpdateFailure)) throw error
      return fetchChecked(offer, at, signal)
    }
    signal.throwIfAborted()
    onDisk(() => at.keep(offer, file))
  }

  const isPresent = async (offer: AssignedRelease, at: ClientPlace): Promise<boolean> => {
    try {
      const content = at.present(offer)
      if (content) await check(content, offer)
      return content !== undefined
    } catch {
      return false
    }
  }

  /** An old release is signed too, with its defects: a server must not be able to bring it back. */
  const requireMayGoBack = async (offer: AssignedRelease, at: ClientPlace): Promise<void> => {
    if (compareVersions(offer.version, version) >= 0) return
    if (notes.hasRun(offer.version) || at.hasRun(offer.version)) return
    const { backSignature } = offer
    if (backSignature !== undefined && (await isTargetForGoingBack(offer, backSignature, deps.releaseKeys()))) return
    throw new UpdateFailure(
      `Version ${offer.version} is older than ${version}, which runs here. This device goes back only to a version that it has run, or to one that is signed as a target for going back.`,
    )
  }

  const carryOut = async (offer: AssignedRelease, at: ClientPlace, signal: AbortSignal): Promise<void> => {
    await requireMayGoBack(offer, at)
    if (!(await isPresent(offer, at))) await fetchChecked(offer, at, signal)
    await waitUntilSettled(at, signal)
    if (notes.countPlan() >= MOST_PLANS) {
      throw new UpdateFailure(`The new client was put in place ${MOST_PLANS} times, but the launcher has not tried it.`)
    }
    onDisk(() => at.plan(offer))
    isLeaving = true
    say(`Client ${offer.version} is on the device and checked; restarting.`)
    await Promise.race([tell(offer, 'restarting'), pause(LONGEST_FAREWELL_MS)])
    at.restart()
  }

  const begin = (offer: AssignedRelease) => {
    notes.setOpen(offer)
    if (offer.version === version) return done(offer)
    if (!place) return failed(offer, NO_LAUNCHER)
    if (deps.releaseKeys().length === 0) return failed(offer, NO_KEYS)
    const mine = { offer, aborter: new AbortController() }
    work = mine
    carryOut(offer, place, mine.aborter.signal).catch((error: Error) => {
      if (mine.aborter.signal.aborted) return
      work = undefined
      const isSaid = error instanceof UpdateFailure || error instanceof DiskError
      failed(offer, isSaid ? error.message : `The update went wrong on the device: ${error.message}`)
    })
  }

  const cancel = () => {
    work?.aborter.abort()
    work = undefined
    const open = notes.open()
    if (!open) return
    notes.setOpen(undefined)
    if (place) rmSync(partOf(open, place), { force: true })
    say(`The update to client ${open.version} was withdrawn.`)
  }

  const hear = (offer: AssignedRelease | null) => {
    if (trialId !== undefined) heardInTrial = offer
    if (trialId !== undefined || isLeaving || (offer && work?.offer.updateId === offer.updateId)) return
    const end = offer && notes.end(offer.updateId)
    if (end) {
      notes.note(end)
      void send(end)
      return
    }
    if (!offer || notes.open()?.updateId !== offer.updateId) cancel()
    if (offer) begin(offer)
  }

  const settleOpen = () => {
    const open = notes.open()
    const reason = open && place?.failure(open.updateId)
    if (open?.version === version) done(open)
    else if (open && reason !== undefined) failed(open, reason)
  }

  /** Reports what became of the last finished update. */
  const settleLast = () => {
    const last = notes.lastEnd()
    if (last?.step !== 'done') return
    const reason = place?.failure(last.updateId)
    // Only the version before reports it, once it is back, because the other one is about to be removed.
    if (reason !== undefined) {
      if (last.version !== version) failed(last, reason)
      return
    }
    // The server counts from here how long the new version has run without a restart.
    if (last.version === version) void tell(last, 'done')
  }

  return {
    start: () => {
      if (trialId !== undefined) return
      settleLast()
      settleOpen()
    },
    hear,
    up: () => {
      wakeWhenUp.resolve()
      wakeWhenUp = Promise.withResolvers()
      for (const progress of notes.unsent()) void send(progress)
    },
    healthy: () => {
      if (trialId === undefined) return notes.noteRun(version)
      const updateId = trialId
      try {
        place?.confirm(updateId)
      } catch (error) {
        say(`The new client cannot be confirmed: ${(error as Error).message}`)
        return
      }
      trialId = undefined
      notes.noteRun(version)
      done({ updateId })
      if (heardInTrial !== undefined && heardInTrial?.updateId !== updateId) hear(heardInTrial)
    },
    stop: () => work?.aborter.abort(),
  }
}

/** The launcher looks for a confirmation several times a second. */
async function waitUntilSettled(place: ClientPlace, signal: AbortSignal): Promise<void> {
  const limit = performance.now() + LONGEST_SETTLING_MS
  while (!place.isSettled()) {
    if (performance.now() > limit) {
      throw new UpdateFailure('The launcher of this device has not finished the update before.')
    }
    await pause(SETTLING_LOOK_MS, signal)
    signal.throwIfAborted()
  }
  signal.throwIfAborted()
}

/** Resolves early when aborted. */
const pause = (ms: number, signal?: AbortSignal) =>
  sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
