import { lazyPart } from '#console/ui/lazyPart.tsx'
import { ChartLoading } from './ChartLoading.tsx'

/** The chart is loaded once its readings are here, and so after the numbers around it. */
export const TimeChart = lazyPart(() => import('./TimeChart.tsx').then((part) => part.TimeChart), {
  meanwhile: ChartLoading,
})
