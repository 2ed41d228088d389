/** @returns what runs each work that it is given after all before it have ended, well or not */
export function takingTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = before.then(work)
    before = turn.catch(() => undefined)
    return turn
  }
}
