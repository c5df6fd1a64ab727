import { Button } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../layout/section.tsx'
import { Confirm } from './confirm.tsx'

interface RemoveSectionProps {
  /** The title of the section, and the name of its button. */
  action: string
  lead: string
  /** The question, and what the answer leads to. */
  confirm: { title: string; text: string }
  pending: boolean
  onRemove: () => void
}

/** The section of a page that removes its resource, after a confirmation. */
export function RemoveSection({ action, lead, confirm, pending, onRemove }: RemoveSectionProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Section
      title={action}
      lead={lead}
      actions={
        <Button variant="default" color="danger" onClick={() => setIsAsking(true)}>
          {action}
        </Button>
      }
    >
      <Confirm
        opened={isAsking}
        title={confirm.title}
        action={action}
        pending={pending}
        onConfirm={onRemove}
        onClose={() => setIsAsking(false)}
      >
        <p>{confirm.text}</p>
      </Confirm>
    </Section>
  )
}
