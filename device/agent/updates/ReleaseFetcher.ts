import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AssignedRelease, ClientProgress } from '#contract/mqtt/client.ts'
import { fileBytes } from '#domain/releases/header.ts'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { backOffMs } from '../link/backOff.ts'
import { type Download, type DownloadEnd, onDisk, sizeOf } from '../link/linkDownload.ts'
import type { ClientPlace } from './clientPlace.ts'
import { pause } from './pause.ts'
import { UpdateFailure } from './UpdateFailure.ts'

/** Attempts in a row without a new byte, while the server is connected. */
const MOST_TRIES = 8
const TELL_EVERY_MS = 5000

/** Fetches what is missing of the file; see `linkDownload.ts`. */
export type FetchRelease = (
  offer: AssignedRelease,
  rest: Pick<Download, 'file' | 'totalBytes' | 'onBytes' | 'signal'>,
) => Promise<DownloadEnd>

export interface ReleaseFetcherDeps {
  /** Base64 of Ed25519 public keys. */
  readonly releaseKeys: () => readonly string[]
  readonly fetchRelease: FetchRelease
  readonly isUp: () => boolean
  readonly random: () => number
}

/** Reports a step of the update, and how much of the release has arrived. */
export type TellStep = (
  offer: AssignedRelease,
  step: ClientProgress['step'],
  more?: Pick<ClientProgress, 'receivedBytes'>,
) => void

/** Brings an assigned release onto the device, and checks that it is signed and is the assigned one. */
export class ReleaseFetcher {
  readonly #deps: ReleaseFetcherDeps
  readonly #tell: TellStep
  #wakeWhenUp = Promise.withResolvers<void>()

  constructor(deps: ReleaseFetcherDeps, tell: TellStep) {
    this.#deps = deps
    this.#tell = tell
  }

  up(): void {
    this.#wakeWhenUp.resolve()
    this.#wakeWhenUp = Promise.withResolvers()
  }

  async isPresent(offer: AssignedRelease, at: ClientPlace): Promise<boolean> {
    try {
      const content = at.present(offer)
      if (content) await this.#check(content, offer)
      return content !== undefined
    } catch {
      return false
    }
  }

  async fetchChecked(offer: AssignedRelease, at: ClientPlace, signal: AbortSignal): Promise<void> {
    const file = partOf(offer, at)
    onDisk(() => {
      mkdirSync(at.downloadFolder, { recursive: true, mode: 0o700 })
      for (const other of readdirSync(at.downloadFolder)) {
        if (join(at.downloadFolder, other) !== file) rmSync(join(at.downloadFolder, other), { force: true })
      }
    })
    const isResumed = sizeOf(file) > 0
    await this.#fetchWhole(offer, at, signal)
    this.#tell(offer, 'verifying', { receivedBytes: offer.bytes })
    try {
      await this.#check(readFileSync(file), offer)
    } catch (error) {
      rmSync(file, { force: true })
      // A part on disk may be damaged by a power cut, so it is fetched again; a whole download is what the server has.
      if (!isResumed || !(error instanceof UpdateFailure)) throw error
      return this.fetchChecked(offer, at, signal)
    }
    signal.throwIfAborted()
    onDisk(() => at.keep(offer, file))
  }

  /** Resolves with the whole file, which is not checked yet. */
  async #fetchWhole(offer: AssignedRelease, at: ClientPlace, signal: AbortSignal): Promise<void> {
    const { fetchRelease, isUp, random } = this.#deps
    const file = partOf(offer, at)
    const totalBytes = fileBytes(offer)
    const onBytes = this.#tellerOf(offer, signal)
    for (let tries = 1; ; tries++) {
      const before = sizeOf(file)
      this.#tell(offer, 'downloading', receivedOf(offer, before))
      const end = await fetchRelease(offer, { file, totalBytes, onBytes, signal })
      signal.throwIfAborted()
      if (end.kind === 'whole') return
      if (end.kind === 'refused' || end.kind === 'disk') throw new UpdateFailure(end.sentence)
      // An attempt without a network does not count.
      if (sizeOf(file) > before || end.kind === 'busy' || !isUp()) tries = 0
      if (end.kind === 'cut' && tries >= MOST_TRIES) {
        throw new UpdateFailure(`The release could not be downloaded in ${MOST_TRIES} tries: ${end.reason}.`)
      }
      const asked = end.kind === 'busy' ? end.waitMs : undefined
      await pause(asked ?? backOffMs(Math.max(tries, 1), random()), signal)
      if (!isUp()) await Promise.race([this.#wakeWhenUp.promise, aborted(signal)])
      signal.throwIfAborted()
    }
  }

  /** @returns what is called with every chunk, and reports only every few seconds */
  #tellerOf(offer: AssignedRelease, signal: AbortSignal): Download['onBytes'] {
    let toldAtMs = performance.now()
    return (bytes) => {
      if (performance.now() - toldAtMs < TELL_EVERY_MS || signal.aborted) return
      toldAtMs = performance.now()
      this.#tell(offer, 'downloading', receivedOf(offer, bytes))
    }
  }

  /** Throws `UpdateFailure` unless this is the assigned release, signed for this device. */
  async #check(content: Uint8Array, offer: AssignedRelease): Promise<void> {
    const verdict = await verifyRelease(content, this.#deps.releaseKeys())
    if ('refusal' in verdict) throw new UpdateFailure(verdict.refusal.sentence)
    const { release } = verdict
    if (release.version === offer.version && release.sha256 === offer.sha256) return
    throw new UpdateFailure(`The server sent version ${release.version} where ${offer.version} was announced.`)
  }
}

/** The file of a download that is not complete. */
export const partOf = ({ sha256 }: AssignedRelease, { downloadFolder }: ClientPlace) =>
  join(downloadFolder, `${sha256}.part`)

/** The header of the file does not count for operators, who know the size of the release. */
const receivedOf = (offer: AssignedRelease, bytes: number) => ({
  receivedBytes: Math.max(0, bytes - (fileBytes(offer) - offer.bytes)),
})

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
