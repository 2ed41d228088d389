import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import './FilterBar.css'

interface Props {
  readonly word: string
  readonly onRemove: () => void
}

export function FilterWord({ word, onRemove }: Props) {
  return (
    <Button
      variant="default"
      className="filter-word"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Remove filter: ${word}`}
      onClick={onRemove}
    >
      {word}
    </Button>
  )
}
