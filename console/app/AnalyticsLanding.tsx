import { IconChartLine } from '@tabler/icons-react'
import { PageNote } from '#console/ui/PageNote.tsx'

/** Home of those who may open Analytics and nothing else (P2 §2). */
export function AnalyticsLanding() {
  return (
    <PageNote
      icon={<IconChartLine size={36} stroke={1.4} aria-hidden />}
      title="Analytics"
      text="You may open Analytics, but this version of Wayside does not have that page yet."
    />
  )
}
