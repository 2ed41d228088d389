/** These functions run within the page, so they take nothing from outside themselves. */

export const GESTURES = ['zoom', 'move'] as const

export interface Chart {
  readonly gesture: (typeof GESTURES)[number]
}

export interface Timing {
  /** The times from the gesture to the frame that shows it, one for each repeat. */
  readonly shownAfterMs: readonly number[]
  /** The time between frames while one gesture follows another. */
  readonly frameMs: readonly number[]
}

declare global {
  interface Window {
    benchDraws: number
    benchStep: (step: number) => void
    benchBare: { setScale(name: string, range: { min: number; max: number }): void; readonly data: number[][] }
  }
}

/** Counts drawings on any canvas: a chart clears its canvas before each. */
export function countDraws() {
  window.benchDraws = 0
  const { clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    window.benchDraws++
    clearRect.apply(this, area)
  }
}

/** Performs `window.benchStep` again and again, first one at a time, then once a frame. */
export async function performSteps({ alone, inRow }: { alone: number; inRow: number }): Promise<Timing> {
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const painted = async () => {
    await frame()
    await new Promise((resolve) => {
      const channel = new MessageChannel()
      channel.port1.onmessage = resolve
      channel.port2.postMessage(undefined)
    })
  }
  const shownAfterMs: number[] = []
  for (let step = 0; step < alone; step++) {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await painted()
    const before = window.benchDraws
    const beganAt = performance.now()
    window.benchStep(step)
    while (window.benchDraws === before && performance.now() - beganAt < 5000) await painted()
    await painted()
    shownAfterMs.push(performance.now() - beganAt)
  }
  const frameMs: number[] = []
  let last = await frame()
  for (let step = 0; step < inRow; step++) {
    window.benchStep(step)
    const at = await frame()
    frameMs.push(at - last)
    last = at
  }
  return { shownAfterMs, frameMs }
}

/** Sends real wheel events: in and out between the whole period and half of it, or to and fro within that half. */
export function consoleSteps({ gesture }: Chart) {
  const over = document.querySelector('.u-over') as HTMLElement
  const { left, width, top } = over.getBoundingClientRect()
  const wheel = (values: WheelEventInit) =>
    over.dispatchEvent(
      new WheelEvent('wheel', {
        clientX: left + width / 2,
        clientY: top + 50,
        bubbles: true,
        cancelable: true,
        ...values,
      }),
    )
  const half = Math.log(2) / 0.0025
  if (gesture === 'move') wheel({ ctrlKey: true, deltaY: -half })
  window.benchStep = (step) =>
    gesture === 'zoom'
      ? wheel({ ctrlKey: true, deltaY: step % 2 === 0 ? -half : half })
      : wheel({ shiftKey: true, deltaY: step % 20 < 10 ? 40 : -40 })
}

export function bareSteps({ gesture }: Chart) {
  const times = window.benchBare.data[0] ?? []
  const [min = 0, max = 1] = [times[0], times.at(-1)]
  const span = max - min
  const [quarter, threeQuarters] = [min + span / 4, max - span / 4]
  window.benchStep = (step) => {
    const byS = gesture === 'zoom' ? 0 : ((step % 20 < 10 ? step % 20 : 20 - (step % 20)) * span) / 60
    const isPart = gesture === 'move' || step % 2 === 0
    window.benchBare.setScale('x', isPart ? { min: quarter + byS, max: threeQuarters + byS } : { min, max })
  }
}

/** Draws the readings of the console as lines, and nothing else, in its place. */
export async function drawBare() {
  type Answer = {
    readonly stepMinutes: number
    readonly devices: readonly { from: string; columns: readonly { means: readonly (number | null)[] }[] }[]
  }
  const { accessToken } = JSON.parse(localStorage.getItem('wayside.session') ?? '{}')
  const asked = performance.getEntriesByType('resource').filter(({ name }) => name.includes('GetAnalyticsColumns'))
  const answers: Answer[] = await Promise.all(
    asked.map(async ({ name }) => (await fetch(name, { headers: { authorization: `Bearer ${accessToken}` } })).json()),
  )
  const lines = answers.flatMap(({ stepMinutes, devices }) =>
    devices.flatMap(({ from, columns }) => {
      const [firstS, stepS] = [Date.parse(from) / 1000, 60 * stepMinutes]
      return columns.map(({ means }) => new Map(means.map((mean, index) => [firstS + index * stepS, mean])))
    }),
  )
  const times = [...new Set(lines.flatMap((line) => [...line.keys()]))].sort((one, other) => one - other)
  const columns = lines.map((line) => times.map((timeS) => line.get(timeS) ?? null))
  const { clientWidth: width, clientHeight: height } = document.querySelector('.time-chart-stage') as HTMLElement
  const host = document.createElement('div')
  document.body.replaceChildren(host)
  const { uPlot } = globalThis as unknown as { uPlot: new (...deps: unknown[]) => Window['benchBare'] }
  const series = [{}, ...columns.map((_, index) => ({ stroke: `hsl(${index * 25} 80% 50%)` }))]
  window.benchBare = new uPlot({ width, height, legend: { show: false }, series }, [times, ...columns], host)
}
