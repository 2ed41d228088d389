import { quantile } from '../../frame/table.ts'

export async function times(repeats: number, work: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const beganAt = performance.now()
    await work()
    found.push(performance.now() - beganAt)
  }
  return found
}

export const medianAnd95 = (measured: readonly number[]) => [quantile(measured, 0.5), quantile(measured, 0.95)]
