/** @returns a function that runs each work after all before it have ended, well or not */
export function createSerialQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = before.then(work)
    before = result.catch(() => undefined)
    return result
  }
}
