import { isRefusalOfData } from './refusalOfData.ts'

interface Request<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Questions of many devices in few exchanges with the database: what is asked while a batch is on its way goes with the
 * next one, so that one question waits for nobody, and ten thousand cost little more than as many rows.
 */
export class Batches<Item, Answer> {
  readonly #most: number
  readonly #work: (items: readonly Item[]) => Promise<readonly Answer[]>
  #waiting: Request<Item, Answer>[] = []
  #isRunning = false

  /** @param work answers a batch of at most so many, in their order; every one is answered, or none */
  constructor(most: number, work: (items: readonly Item[]) => Promise<readonly Answer[]>) {
    this.#most = most
    this.#work = work
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#isRunning) return
      this.#isRunning = true
      // Not at once: what comes by the same turn of the loop belongs into the same batch.
      setImmediate(() => this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#answer(this.#waiting.splice(0, this.#most))
    this.#isRunning = false
  }

  async #answer(batch: readonly Request<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#work(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (batch.length > 1 && isRefusalOfData(error)) {
        // Half by half, until the one that the database refuses is alone.
        const middle = Math.ceil(batch.length / 2)
        await this.#answer(batch.slice(0, middle))
        await this.#answer(batch.slice(middle))
      } else for (const { reject } of batch) reject(error)
    }
  }
}
