import { FileInput, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { type FilePreview, importDevices, previewDeviceFile } from '#contract/http/devices/deviceFiles.ts'
import { FILE_COLUMNS } from '#domain/bulk/deviceFile.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { PreviewTable } from './PreviewTable.tsx'
import './bulkFile.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A file that was chosen before must be gone when the dialog opens again. */
export const ImportModal = ({ isOpen, onClose }: Props) => (isOpen ? <OpenModal onClose={onClose} /> : null)

function OpenModal({ onClose }: Pick<Props, 'onClose'>) {
  const [csv, setCsv] = useState('')
  const preview = useChange(previewDeviceFile)
  const take = useChange(importDevices, {
    onDone: ({ added, changed }) => {
      toasts.success(`${formatNumber(added)} added, ${formatNumber(changed)} changed.`)
      onClose()
    },
  })
  const read = async (file: File | null) => {
    preview.reset()
    setCsv('')
    if (!file) return
    const text = textOf(await file.arrayBuffer())
    setCsv(text)
    preview.mutate({ body: { csv: text } })
  }
  const found = preview.data
  const mayTake = found !== undefined && found.problemCount === 0 && found.added + found.changed > 0
  return (
    <Modal opened onClose={onClose} title="Import devices" size={760}>
      <ModalForm
        onSubmit={(event) => {
          event.preventDefault()
          take.mutate({ body: { csv } })
        }}
        onCancel={onClose}
        submitLabel="Import"
        isBusy={take.isPending}
        isDisabled={!mayTake}
      >
        <FileInput
          label="CSV file"
          placeholder="Choose a file"
          accept=".csv,text/csv"
          description={`Columns: ${FILE_COLUMNS.join(', ')}. “Export devices” gives the same file. A row is found by guid, else serial number, else name; all others are added.`}
          onChange={(file) => void read(file)}
          data-autofocus
        />
        {preview.isPending && <p role="status">Checking the file …</p>}
        {found && <Found preview={found} />}
      </ModalForm>
    </Modal>
  )
}

/** Spreadsheets on Windows save in its own letters unless they are asked for UTF-8. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function Found({ preview }: { readonly preview: FilePreview }) {
  const { added, changed, unchanged, problemCount } = preview
  const summary = `${formatNumber(added)} to add, ${formatNumber(changed)} to change, ${formatNumber(unchanged)} unchanged.`
  return (
    <Stack gap="sm">
      {problemCount > 0 ? (
        <FormNote
          kind="failed"
          text={`${problemCount === 1 ? 'One cell is' : `${formatNumber(problemCount)} cells are`} wrong, so nothing can be imported. Correct the file and choose it again.`}
        />
      ) : (
        <FormNote kind="info" text={summary} />
      )}
      <PreviewTable preview={preview} />
    </Stack>
  )
}
