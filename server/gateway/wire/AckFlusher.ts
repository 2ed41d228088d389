interface Flushable {
  flush(): void
}

/** Sends the acknowledgements of a whole batch with one write for each connection. */
export class AckFlusher {
  #waiting: Flushable[] = []

  add(link: Flushable): void {
    // A batch confirms all its receipts in one turn, and the microtask runs right after it.
    if (this.#waiting.push(link) === 1) queueMicrotask(() => this.#flush())
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const link of waiting) link.flush()
  }
}
