import type { FaultCode } from '../../errors.ts'
import { inLanguage, type Language, type Words } from '../../events/event-types.ts'
import type { ReportedRow } from '../imports/schemas.ts'
import { type RowErrorReason, rowErrorText } from '../rows/row-error-types.ts'
import { faultCodeText } from './fault-words.ts'

/** The names of the columns of a report for people. */
const columns = {
  row: ['Row', 'Fila', 'Строка', 'Linha'],
  result: ['Result', 'Resultado', 'Результат', 'Resultado'],
  record: ['Record ID', 'ID del registro', 'ID записи', 'ID do registro'],
  column: ['Column', 'Columna', 'Столбец', 'Coluna'],
  value: ['Value', 'Valor', 'Значение', 'Valor'],
  reason: ['Reason', 'Motivo', 'Причина', 'Motivo'],
  import_error: ['Why rejected', 'Motivo del rechazo', 'Причина отклонения', 'Motivo da recusa'],
} as const satisfies Record<string, Words>

const outcomes: Record<ReportedRow['outcome'], Words> = {
  failed: ['Rejected', 'Rechazada', 'Не принята', 'Recusada'],
  kept: ['Not undone', 'Sin deshacer', 'Не отменена', 'Não desfeita'],
  skipped: ['Skipped', 'Omitida', 'Пропущена', 'Pulada'],
  added: ['Added', 'Añadida', 'Добавлена', 'Adicionada'],
  changed: ['Updated', 'Actualizada', 'Обновлена', 'Atualizada'],
}

/** The texts of a report: in a language, or those of the API. */
export const columnText = (column: keyof typeof columns, language: Language | null): string =>
  language ? inLanguage(columns[column], language) : column

export const outcomeText = (outcome: ReportedRow['outcome'], language: Language | null): string =>
  language ? inLanguage(outcomes[outcome], language) : outcome

/**
 * Faults from the rules of records have no reason. In English, their detail is the most exact text; other languages have one
 * for each code.
 */
export function faultText(
  { detail, reason, code }: ReportedRow['faults'][number],
  language: Language | null,
): string {
  if (language && reason) return rowErrorText(reason as RowErrorReason, language)
  return language === null || language === 'en' ? detail : faultCodeText(code as FaultCode, language)
}
