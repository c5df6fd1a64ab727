import type { ComponentType } from 'react'
import type { CustomField } from '../data/fields.ts'
import { CheckEditor, ChoiceEditor, ChoicesEditor } from './choice-editors.tsx'
import { FileEditor } from './file-editor.tsx'
import { AddressEditor, LabelledEditor } from './labelled-editor.tsx'
import { LineEditor, TextEditor, TimeEditor } from './line-editor.tsx'
import { ChainedListEditor, LinkedEntityEditor } from './record-editors.tsx'
import { ItemsEditor, LegalEntityEditor, PayerEditor } from './structure-editors.tsx'
import type { Values, WireValue } from './values.ts'

export interface EditorProps {
  field: CustomField
  value: Values
  /** All that the field holds then; nothing clears it. */
  onSave: (values: WireValue[]) => void
  onCancel: () => void
}

/** What a person writes the values of a field with, in their place. Only for fields that have no lock. */
export function FieldEditor(props: EditorProps) {
  const Editor = editors[props.field.type]
  return Editor ? <Editor {...props} /> : null
}

/** A type without an editor is written by services alone. */
const editors: Partial<Record<CustomField['type'], ComponentType<EditorProps>>> = {
  text: LineEditor,
  numeric: LineEditor,
  monetary: LineEditor,
  price: LineEditor,
  url: LineEditor,
  streetaddress: LineEditor,
  org_legal_name: LineEditor,
  tracking_data: LineEditor,
  textarea: TextEditor,
  date: TimeEditor,
  birthday: TimeEditor,
  date_time: TimeEditor,
  checkbox: CheckEditor,
  select: ChoiceEditor,
  radiobutton: ChoiceEditor,
  category: ChoiceEditor,
  multiselect: ChoicesEditor,
  multitext: LabelledEditor,
  smart_address: AddressEditor,
  legal_entity: LegalEntityEditor,
  payer: PayerEditor,
  items: ItemsEditor,
  linked_entity: LinkedEntityEditor,
  chained_list: ChainedListEditor,
  file: FileEditor,
}

/** Why a person cannot write the values of a field; null when he can. */
export function lockOf(field: CustomField): 'service' | 'api' | 'kind' | null {
  if (field.disabled) return 'service'
  if (field.is_api_only) return 'api'
  return editors[field.type] ? null : 'kind'
}
