import { useState } from 'react'
import type { CustomField } from '../../data/fields.ts'
import type { StagePlace } from '../../data/pipelines.ts'
import { readChanged } from '../../data/record-lists.ts'
import { createRecord } from '../../data/records.ts'
import { useToast } from '../../parts/toasts/use-toast.ts'
import { fieldsMissingFor, type MoveValues } from './move-values.ts'

export interface WantedLead {
  name: string
  to: StagePlace
  fields: CustomField[]
}

/** Adds leads by name, and asks for the fields that the stage requires. */
export function useAddLead() {
  const toast = useToast()
  const [question, ask] = useState<WantedLead>()
  const [isAnswering, setAnswering] = useState(false)
  /** The result is false if the lead was refused, and true if it was added or its fields are asked for. */
  const add = async (name: string, to: StagePlace, values: MoveValues = {}): Promise<boolean> => {
    try {
      const id = await createRecord('leads', { name, ...to, ...values })
      void readChanged('leads', [id])
      return true
    } catch (error) {
      const fields = await fieldsMissingFor(error, values.custom_fields_values ?? [], to)
      if (fields.length > 0) ask({ name, to, fields })
      else toast.refused(error)
      return fields.length > 0
    }
  }
  /** The dialog stays open with what was filled in until the lead is added. */
  const answer = async (asked: WantedLead, values: MoveValues) => {
    setAnswering(true)
    const isAdded = await add(asked.name, asked.to, values)
    setAnswering(false)
    if (isAdded) ask((now) => (now === asked ? undefined : now))
  }
  return {
    question,
    isAnswering,
    add,
    answer: (values: MoveValues) => {
      if (question) void answer(question, values)
    },
    dismiss: () => ask(undefined),
  }
}
