import { rmSync } from 'node:fs'
import { type AssignedRelease, type ClientProgress, clientProgressId } from '#contract/mqtt/client.ts'
import { isTargetForGoingBack } from '#domain/releases/verifyRelease.ts'
import { compareVersions } from '#domain/releases/version.ts'
import { DiskError, onDisk } from '../link/linkDownload.ts'
import type { DeviceStore } from '../store/deviceStore.ts'
import type { ClientPlace } from './clientPlace.ts'
import { pause } from './pause.ts'
import { partOf, ReleaseFetcher, type ReleaseFetcherDeps } from './ReleaseFetcher.ts'
import { UpdateFailure } from './UpdateFailure.ts'
import { openUpdateNotes, type UpdateNotes } from './updateNotes.ts'

const NO_LAUNCHER = 'The client of this device was started without its launcher, so it cannot be replaced.'
const NO_KEYS = "This device's configuration holds no release key; download its configuration again."
/** The restart waits this long for "restarting" to reach the server; it is reported again afterwards anyway. */
const LONGEST_FAREWELL_MS = 3000
/** A launcher that cannot write tries nothing, and would start this client forever. */
const MOST_PLANS = 3
const LONGEST_SETTLING_MS = 30_000
const SETTLING_LOOK_MS = 100

export interface UpdateInstallerDeps extends ReleaseFetcherDeps {
  readonly store: DeviceStore
  readonly version: string
  /** Absent when nothing could start another version. */
  readonly place: ClientPlace | undefined
  /** Resolves at the PUBACK. */
  readonly publish: (id: string, progress: ClientProgress) => Promise<void>
  readonly say: (msg: string) => void
}

/** Replaces the client of the device by the assigned release, and reports the progress to the server. */
export class UpdateInstaller {
  readonly #deps: UpdateInstallerDeps
  readonly #notes: UpdateNotes
  readonly #fetcher: ReleaseFetcher
  #work: { readonly offer: AssignedRelease; readonly aborter: AbortController } | undefined
  /** Other assignments wait until a trial is confirmed. */
  #trialId: string | undefined
  #heardInTrial: AssignedRelease | null | undefined
  #isLeaving = false

  constructor(deps: UpdateInstallerDeps) {
    this.#deps = deps
    this.#notes = openUpdateNotes(deps.store)
    this.#fetcher = new ReleaseFetcher(deps, (...progress) => void this.#tell(...progress))
    this.#trialId = deps.place?.trialId
  }

  /** Reports the result of the update that has brought this program, or the old one back. */
  start(): void {
    if (this.#trialId !== undefined) return
    this.#settleLast()
    this.#settleOpen()
  }

  /** Takes the assignment of the newest settings document. */
  hear(offer: AssignedRelease | null): void {
    const isOnTrial = this.#trialId !== undefined
    if (isOnTrial) this.#heardInTrial = offer
    if (isOnTrial || this.#isLeaving || (offer && this.#work?.offer.updateId === offer.updateId)) return
    const end = offer && this.#notes.end(offer.updateId)
    if (end) {
      this.#notes.note(end)
      void this.#send(end)
      return
    }
    if (!offer || this.#notes.open()?.updateId !== offer.updateId) this.#cancel()
    if (offer) this.#begin(offer)
  }

  up(): void {
    this.#fetcher.up()
    for (const progress of this.#notes.unsent()) void this.#send(progress)
  }

  /** The server has stored a report that this program made. */
  healthy(): void {
    const { place, version, say } = this.#deps
    const updateId = this.#trialId
    if (updateId === undefined) {
      this.#notes.noteRun(version)
      return
    }
    try {
      place?.confirm(updateId)
    } catch (error) {
      say(`The new client cannot be confirmed: ${(error as Error).message}`)
      return
    }
    this.#trialId = undefined
    this.#notes.noteRun(version)
    this.#done({ updateId })
    if (this.#heardInTrial !== undefined && this.#heardInTrial?.updateId !== updateId) this.hear(this.#heardInTrial)
  }

  stop(): void {
    this.#work?.aborter.abort()
  }

  #begin(offer: AssignedRelease): void {
    const { place, version, releaseKeys } = this.#deps
    this.#notes.setOpen(offer)
    if (offer.version === version) this.#done(offer)
    else if (!place) this.#failed(offer, NO_LAUNCHER)
    else if (releaseKeys().length === 0) this.#failed(offer, NO_KEYS)
    else this.#work = this.#workOn(offer, place)
  }

  #workOn(offer: AssignedRelease, place: ClientPlace) {
    const mine = { offer, aborter: new AbortController() }
    this.#carryOut(offer, place, mine.aborter.signal).catch((error: Error) => {
      if (mine.aborter.signal.aborted) return
      this.#work = undefined
      const isSaid = error instanceof UpdateFailure || error instanceof DiskError
      this.#failed(offer, isSaid ? error.message : `The update went wrong on the device: ${error.message}`)
    })
    return mine
  }

  async #carryOut(offer: AssignedRelease, at: ClientPlace, signal: AbortSignal): Promise<void> {
    await this.#requireMayGoBack(offer, at)
    if (!(await this.#fetcher.isPresent(offer, at))) await this.#fetcher.fetchChecked(offer, at, signal)
    await waitUntilSettled(at, signal)
    if (this.#notes.countPlan() >= MOST_PLANS) {
      throw new UpdateFailure(`The new client was put in place ${MOST_PLANS} times, but the launcher has not tried it.`)
    }
    onDisk(() => at.plan(offer))
    this.#isLeaving = true
    this.#deps.say(`Client ${offer.version} is on the device and checked; restarting.`)
    await Promise.race([this.#tell(offer, 'restarting'), pause(LONGEST_FAREWELL_MS)])
    at.restart()
  }

  /** An old release is signed too, with its defects: a server must not be able to bring it back. */
  async #requireMayGoBack(offer: AssignedRelease, at: ClientPlace): Promise<void> {
    const { version, releaseKeys } = this.#deps
    if (compareVersions(offer.version, version) >= 0) return
    if (this.#notes.hasRun(offer.version) || at.hasRun(offer.version)) return
    const { backSignature } = offer
    if (backSignature !== undefined && (await isTargetForGoingBack(offer, backSignature, releaseKeys()))) return
    throw new UpdateFailure(
      `Version ${offer.version} is older than ${version}, which runs here. This device goes back only to a version that it has run, or to one that is signed as a target for going back.`,
    )
  }

  #cancel(): void {
    const { place, say } = this.#deps
    this.#work?.aborter.abort()
    this.#work = undefined
    const open = this.#notes.open()
    if (!open) return
    this.#notes.setOpen(undefined)
    if (place) rmSync(partOf(open, place), { force: true })
    say(`The update to client ${open.version} was withdrawn.`)
  }

  #settleOpen(): void {
    const { place, version } = this.#deps
    const open = this.#notes.open()
    const reason = open && place?.failure(open.updateId)
    if (open?.version === version) this.#done(open)
    else if (open && reason !== undefined) this.#failed(open, reason)
  }

  /** Reports what became of the last finished update. */
  #settleLast(): void {
    const { place, version } = this.#deps
    const last = this.#notes.lastEnd()
    if (last?.step !== 'done') return
    const reason = place?.failure(last.updateId)
    // Only the version before reports it, once it is back, because the other one is about to be removed.
    if (reason !== undefined) {
      if (last.version !== version) this.#failed(last, reason)
      return
    }
    // The server counts from here how long the new version has run without a restart.
    if (last.version === version) void this.#tell(last, 'done')
  }

  #done(update: Pick<AssignedRelease, 'updateId'>): void {
    void this.#tell(update, 'done')
    this.#deps.say(`Updated: this is client ${this.#deps.version}.`)
  }

  #failed(update: Pick<AssignedRelease, 'updateId' | 'version'>, reason: string): void {
    void this.#tell(update, 'failed', { reason })
    this.#deps.say(`Update to client ${update.version} failed: ${reason}`)
  }

  #tell(
    { updateId }: Pick<AssignedRelease, 'updateId'>,
    step: ClientProgress['step'],
    more: Partial<Pick<ClientProgress, 'receivedBytes' | 'reason'>> = {},
  ): Promise<void> {
    const progress = { updateId, step, version: this.#deps.version, receivedBytes: null, reason: null, ...more }
    this.#notes.note(progress)
    return this.#send(progress)
  }

  #send(progress: ClientProgress): Promise<void> {
    if (!this.#deps.isUp()) return Promise.resolve()
    return this.#deps.publish(clientProgressId(progress.updateId), progress).then(
      () => this.#notes.sent(progress),
      () => undefined,
    )
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
