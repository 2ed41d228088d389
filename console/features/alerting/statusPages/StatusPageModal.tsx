import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { type StatusPage, setStatusPage } from '#contract/http/alerting/statusPages.ts'
import { isSlug, LONGEST_SLUG, type PageMode } from '#domain/statusPages/pageRules.ts'
import { statusPageMessages } from './statusPageMessages.ts'

interface Props {
  readonly page: StatusPage
  readonly onClose: () => void
}

const MODES: readonly { readonly value: PageMode; readonly label: string }[] = [
  { value: 'off', label: 'Off: not visible' },
  { value: 'public', label: 'Public: anyone who knows its name' },
  { value: 'secret', label: 'Secret: anyone with its address' },
]

const NO_INCIDENTS = 'none'
const INCIDENTS = [
  { value: NO_INCIDENTS, label: 'Not shown' },
  { value: '1', label: 'Critical ones' },
  { value: '2', label: 'Critical ones and warnings' },
  { value: '3', label: 'All' },
]

export function StatusPageModal({ page, onClose }: Props) {
  const [mode, setMode] = useState<PageMode>(page.mode)
  const [incidents, setIncidents] = useState(page.severityId === null ? NO_INCIDENTS : String(page.severityId))
  const form = usePageForm({ page, mode, incidents }, onClose)
  const { field, switchField, values } = form
  const endsSubscriptions = mode === 'secret' && page.mode !== 'secret' && page.subscriberCount > 0
  return (
    <FormModal
      title={`Status page of ${page.customerName}`}
      size={520}
      onSubmit={form.submit}
      isBusy={form.isBusy}
      onClose={onClose}
    >
      <Select
        label="Who sees it"
        data={MODES}
        value={mode}
        allowDeselect={false}
        onChange={(next) => next && setMode(next as PageMode)}
      />
      {endsSubscriptions && (
        <FormNote kind="info" text="It gets a new secret address, so subscriptions of the public page end." />
      )}
      {mode === 'public' && (
        <TextInput
          {...field('slug')}
          withAsterisk
          description="The end of its address: small letters, digits and dashes"
          placeholder="harbour"
          autoComplete="off"
        />
      )}
      <TextInput {...field('title')} data-autofocus />
      <Textarea {...field('note')} description="Shown below the title" />
      <TextInput {...field('tag')} description="Only displays with this tag" placeholder="All displays" />
      <TextInput
        {...field('placePrefix')}
        description={'Places are tags that begin so: with "city:" the tag "city: Oslo" is the place Oslo'}
        placeholder="No places"
      />
      <Select
        label="Incidents"
        data={INCIDENTS}
        value={incidents}
        allowDeselect={false}
        onChange={(next) => next && setIncidents(next)}
      />
      <Switch {...switchField('showsPlanned')} checked={values.showsPlanned} />
      <Switch {...switchField('takesSubscribers')} checked={values.takesSubscribers} />
    </FormModal>
  )
}

interface Edited {
  readonly page: StatusPage
  readonly mode: PageMode
  readonly incidents: string
}

function usePageForm({ page, mode, incidents }: Edited, onSaved: () => void) {
  return useCallForm(setStatusPage, {
    labels: {
      slug: 'Name in the address',
      title: 'Title',
      note: 'Note',
      tag: 'Tag',
      placePrefix: 'Places',
      showsPlanned: 'Planned work announced to the customer',
      takesSubscribers: 'Allow e-mail subscriptions',
    },
    initial: {
      slug: page.slug,
      title: page.title,
      note: page.note,
      tag: page.tag,
      placePrefix: page.placePrefix,
      showsPlanned: page.showsPlanned,
      takesSubscribers: page.takesSubscribers,
    },
    content: ({ slug, title, note, tag, placePrefix, showsPlanned, takesSubscribers }) => ({
      customerId: page.customerId,
      mode,
      slug: slug.trim(),
      title: title.trim(),
      note: note.trim(),
      tag: tag.trim(),
      placePrefix: placePrefix.trim(),
      severityId: incidents === NO_INCIDENTS ? null : Number(incidents),
      showsPlanned,
      takesSubscribers,
    }),
    check: ({ slug }) =>
      mode === 'public' && !isSlug(slug.trim())
        ? { slug: `Name in the address must be 3 to ${LONGEST_SLUG} small letters, digits and dashes` }
        : {},
    saved: statusPageMessages.saved,
    onSaved,
  })
}
