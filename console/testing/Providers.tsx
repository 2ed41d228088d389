import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Questions } from '#console/app/notices/Questions.tsx'
import { StepUps } from '#console/app/notices/StepUps.tsx'
import { Toasts } from '#console/app/notices/Toasts.tsx'
import { queryClient } from '#console/lib/call/useCall.ts'
import { FilterMoment } from '#console/ui/filter/filterMoment.ts'
import { Kit } from '#console/ui/kit/Kit.tsx'
import { Autocomplete, NumberInput, Select, TagsInput } from '#console/ui/kit/laterFields.ts'
import '#console/ui/kit/MenuOver.tsx'

await Promise.all([Autocomplete, FilterMoment, NumberInput, Select, TagsInput].map((field) => field.preload()))

/** Everything of the kit is loaded, as after its first use, so that no test waits for it. */
export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <Kit hasTransitions={false}>
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <Questions />
        <StepUps />
        {children}
      </QueryClientProvider>
    </Kit>
  )
}
