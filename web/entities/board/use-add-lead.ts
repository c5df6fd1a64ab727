import { useState } from 'react'
import type { Place } from '../../data/columns.ts'
import type { CustomField } from '../../data/fields.ts'
import { readChanged } from '../../data/record-lists.ts'
import { addRecord } from '../../data/records.ts'
import { useToast } from '../../parts/use-toast.ts'
import { fieldsMissingFor, type MoveValues } from './lead-patch.ts'

export interface WantedLead {
  name: string
  to: Place
  fields: CustomField[]
}

/** Adds leads by name, and asks for the fields that the stage requires. */
export function useAddLead() {
  const toast = useToast()
  const [question, ask] = useState<WantedLead>()
  const add = async (name: string, to: Place, values: MoveValues = {}) => {
    try {
      const draft: Record<string, unknown> = { name, ...to, ...values }
      const id = (await addRecord('leads').mutationFn?.(draft, undefined as never)) as number
      await readChanged('leads', [id])
    } catch (error) {
      const fields = await fieldsMissingFor(error, values.custom_fields_values ?? [], to)
      if (fields.length > 0) ask({ name, to, fields })
      else toast.refused(error)
    }
  }
  return {
    question,
    add: (name: string, to: Place) => void add(name, to),
    answer: (values: MoveValues) => {
      ask(undefined)
      if (question) add(question.name, question.to, values)
    },
    dismiss: () => ask(undefined),
  }
}
