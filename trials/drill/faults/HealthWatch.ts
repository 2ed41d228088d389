import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '#domain/units/time.ts'

const LOOK_EVERY_MS = 250
const GIVEN_UP_AFTER_MS = 120 * SECOND_MS

/** Polls `/healthz` all the time. */
export class HealthWatch {
  /** Every sentence that was reported, one for each trouble. */
  readonly troubles = new Set<string>()
  readonly #url: string
  /** True when the newest answer said that all is well; undefined without an answer. */
  #isWell: boolean | undefined
  #wellSinceMs = Number.POSITIVE_INFINITY
  #isOver = false

  static begin(httpUrl: string): HealthWatch {
    const watch = new HealthWatch(`${httpUrl}/healthz`)
    void watch.#look()
    return watch
  }

  private constructor(url: string) {
    this.#url = url
  }

  get wasEverWrong(): boolean {
    return this.troubles.size > 0
  }

  /** @returns seconds from that moment until all stayed well */
  async untilWell(fromMs: number): Promise<number> {
    while (!(this.#isWell && performance.now() - this.#wellSinceMs > SECOND_MS)) {
      if (performance.now() - fromMs > GIVEN_UP_AFTER_MS) break
      await sleep(LOOK_EVERY_MS)
    }
    this.#isOver = true
    return this.#isWell ? Math.max(0, this.#wellSinceMs - fromMs) / SECOND_MS : Number.POSITIVE_INFINITY
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      const troubles = await this.#ask()
      const isWell = troubles?.length === 0
      if (isWell && !this.#isWell) this.#wellSinceMs = performance.now()
      this.#isWell = isWell
      for (const trouble of troubles ?? []) this.troubles.add(trouble.replaceAll(/\d+/g, 'N'))
      await sleep(LOOK_EVERY_MS)
    }
  }

  async #ask(): Promise<readonly string[] | undefined> {
    try {
      const answer = await fetch(this.#url, { signal: AbortSignal.timeout(5 * SECOND_MS) })
      return ((await answer.json()) as { readonly troubles?: readonly string[] }).troubles ?? []
    } catch {
      return undefined
    }
  }
}
