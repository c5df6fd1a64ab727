import type { FaultCode } from '../../errors.ts'
import { inLanguage, type Language, type Words } from '../../events/event-types.ts'

interface RowError {
  code: FaultCode
  detail: string
}

/** The errors and warnings that jobs themselves report for a row, by reason. Stored rows contain the reason. */
export const rowErrors = {
  not_a_number: { code: 'InvalidFormat', detail: 'This value is not a number.' },
  not_a_date: { code: 'InvalidFormat', detail: 'This value is not a date.' },
  date_out_of_range: { code: 'OutOfRange', detail: 'This value is not a date.' },
  not_yes_or_no: { code: 'InvalidFormat', detail: 'This value is neither yes nor no.' },
  not_an_id: { code: 'InvalidFormat', detail: 'This value is not an id.' },
  not_a_phone: { code: 'InvalidFormat', detail: 'This does not look like a phone number.' },
  not_an_email: { code: 'InvalidFormat', detail: 'This does not look like an e-mail address.' },
  price_out_of_range: { code: 'OutOfRange', detail: 'A price must be a number of at least 0.' },
  too_long: { code: 'TooLong', detail: 'This value is too long. It should have 255 characters or less.' },
  field_deleted: { code: 'NotSupportedChoice', detail: 'The field of this column was deleted.' },
  no_such_pipeline: { code: 'NotSupportedChoice', detail: 'No pipeline has this name.' },
  no_such_stage: { code: 'NotSupportedChoice', detail: 'No stage has this name.' },
  no_such_person: { code: 'NotSupportedChoice', detail: 'Nobody has this name or e-mail.' },
  several_people: {
    code: 'NotSupportedChoice',
    detail: 'Several people have this name. Use the e-mail instead.',
  },
  no_such_choice: { code: 'NotSupportedChoice', detail: 'The field does not have this choice.' },
  no_such_record: { code: 'NotSupportedChoice', detail: 'No record has this id.' },
  too_many_cells: { code: 'TooMany', detail: 'The row has more cells than the file has columns.' },
  too_many_values: { code: 'TooMany', detail: 'This cell has more than 250 values.' },
  no_values: { code: 'NotBlank', detail: 'The row has no values to import.' },
  no_name: { code: 'FieldMissing', detail: 'The row has no name.' },
  not_allowed: { code: 'InvalidFormat', detail: 'A value of this row is not allowed.' },
  same_id: { code: 'NotUnique', detail: 'A record with this id already exists.' },
  same_phone: { code: 'NotUnique', detail: 'A record with this phone number already exists.' },
  same_email: { code: 'NotUnique', detail: 'A record with this e-mail address already exists.' },
  same_name: { code: 'NotUnique', detail: 'A record with this name already exists.' },
  same_site: { code: 'NotUnique', detail: 'A record with this website already exists.' },
  same_values: { code: 'NotUnique', detail: 'The record already has these values.' },
  cannot_change: { code: 'NotSupportedChoice', detail: 'You cannot change this record.' },
  forbidden: { code: 'NotSupportedChoice', detail: 'Insufficient rights to call this method' },
  hidden: { code: 'NotSupportedChoice', detail: 'This record does not exist or is hidden from you.' },
  in_trash: { code: 'NotSupportedChoice', detail: 'This record is in the trash.' },
  not_restorable: {
    code: 'NotSupportedChoice',
    detail: 'This record cannot be restored from the trash.',
  },
  changed_since: { code: 'NotSupportedChoice', detail: 'Changed since' },
} as const satisfies Record<string, RowError>
export type RowErrorReason = keyof typeof rowErrors
export const rowErrorReasons = Object.keys(rowErrors) as RowErrorReason[]

/** The errors of rows as people read them: on the page of a job and in its files. */
const words: Record<RowErrorReason, Words> = {
  not_a_number: ['This is not a number.', 'No es un número.', 'Это не число.', 'Isto não é um número.'],
  not_a_date: ['This is not a date.', 'No es una fecha.', 'Это не дата.', 'Isto não é uma data.'],
  date_out_of_range: ['This is not a date.', 'No es una fecha.', 'Это не дата.', 'Isto não é uma data.'],
  not_yes_or_no: ['Enter yes or no.', 'Escriba sí o no.', 'Напишите «да» или «нет».', 'Escreva sim ou não.'],
  not_an_id: ['This is not an ID.', 'No es un ID.', 'Это не ID.', 'Isto não é um ID.'],
  not_a_phone: [
    'This does not look like a phone number.',
    'No parece un número de teléfono.',
    'Это не похоже на номер телефона.',
    'Isto não parece um número de telefone.',
  ],
  not_an_email: [
    'This does not look like an email address.',
    'No parece una dirección de correo.',
    'Это не похоже на адрес почты.',
    'Isto não parece um endereço de e-mail.',
  ],
  price_out_of_range: [
    'A sale must be 0 or more.',
    'La venta es un número desde 0.',
    'Бюджет — число от 0.',
    'A venda é um número a partir de 0.',
  ],
  too_long: [
    'This is too long. It can have at most 255 characters.',
    'Es demasiado largo. Puede tener 255 caracteres como máximo.',
    'Слишком длинное значение. Допускается не более 255 символов.',
    'É longo demais. Pode ter no máximo 255 caracteres.',
  ],
  field_deleted: [
    'The field of this column was deleted.',
    'El campo de esta columna se ha eliminado.',
    'Поле этого столбца удалено.',
    'O campo desta coluna foi excluído.',
  ],
  no_such_pipeline: [
    'No pipeline has this name.',
    'No hay ningún embudo con este nombre.',
    'Нет воронки с таким названием.',
    'Não há funil com este nome.',
  ],
  no_such_stage: [
    'No stage has this name.',
    'No hay ninguna etapa con este nombre.',
    'Нет этапа с таким названием.',
    'Não há etapa com este nome.',
  ],
  no_such_person: [
    'Nobody has this name or email.',
    'Nadie aquí tiene este nombre o correo.',
    'Здесь нет никого с таким именем или почтой.',
    'Ninguém aqui tem este nome ou e-mail.',
  ],
  several_people: [
    'Several people have this name. Enter an email instead.',
    'Varias personas tienen este nombre. Escriba el correo.',
    'Это имя есть у нескольких людей. Укажите почту.',
    'Várias pessoas têm este nome. Escreva o e-mail.',
  ],
  no_such_choice: [
    'The field does not have this option.',
    'El campo no tiene esta opción.',
    'В этом поле нет такого варианта.',
    'O campo não tem esta opção.',
  ],
  no_such_record: [
    'No record has this ID.',
    'No hay ningún registro con este ID.',
    'Нет записи с таким ID.',
    'Não há registro com este ID.',
  ],
  too_many_cells: [
    'The row has more cells than the file has columns.',
    'La fila tiene más celdas que columnas.',
    'В строке больше ячеек, чем столбцов.',
    'A linha tem mais células do que colunas.',
  ],
  too_many_values: [
    'This cell has more than 250 values.',
    'Esta celda tiene más de 250 valores.',
    'В этой ячейке больше 250 значений.',
    'Esta célula tem mais de 250 valores.',
  ],
  no_values: [
    'This row has nothing to import.',
    'En esta fila no hay nada que importar.',
    'В этой строке нечего импортировать.',
    'Nesta linha não há nada para importar.',
  ],
  no_name: [
    'The row has no name.',
    'La fila no tiene nombre.',
    'В строке нет имени или названия.',
    'A linha não tem nome.',
  ],
  not_allowed: [
    'A value in this row is not allowed.',
    'Un valor de esta fila no está permitido.',
    'В строке есть недопустимое значение.',
    'Um valor desta linha não é permitido.',
  ],
  same_id: [
    'A record with this ID already exists.',
    'El registro con este ID ya existe.',
    'Запись с этим ID уже есть.',
    'O registro com este ID já existe.',
  ],
  same_phone: [
    'A record with this phone already exists.',
    'Ya hay un registro con este teléfono.',
    'Запись с таким телефоном уже есть.',
    'Já existe um registro com este telefone.',
  ],
  same_email: [
    'A record with this email already exists.',
    'Ya hay un registro con este correo.',
    'Запись с такой почтой уже есть.',
    'Já existe um registro com este e-mail.',
  ],
  same_name: [
    'A record with this name already exists.',
    'Ya hay un registro con este nombre.',
    'Запись с таким названием уже есть.',
    'Já existe um registro com este nome.',
  ],
  same_site: [
    'A record with this website already exists.',
    'Ya hay un registro con este sitio web.',
    'Запись с таким сайтом уже есть.',
    'Já existe um registro com este site.',
  ],
  same_values: [
    'The record already has these values.',
    'El registro ya tiene estos valores.',
    'В записи уже такие значения.',
    'O registro já tem estes valores.',
  ],
  cannot_change: [
    'You do not have permission to do this with the record.',
    'No tiene permiso para hacer esto con este registro.',
    'Вам нельзя делать это с этой записью.',
    'Você não pode fazer isto com este registro.',
  ],
  forbidden: [
    'You do not have permission to do this with the record.',
    'No tiene permiso para hacer esto con este registro.',
    'Вам нельзя делать это с этой записью.',
    'Você não pode fazer isto com este registro.',
  ],
  hidden: [
    'The record no longer exists, or you do not have permission to see it.',
    'El registro ya no existe o usted no puede verlo.',
    'Записи больше нет, или она вам не видна.',
    'O registro não existe mais ou está oculto para você.',
  ],
  in_trash: [
    'The record is in the trash.',
    'El registro está en la papelera.',
    'Запись в корзине.',
    'O registro está na lixeira.',
  ],
  not_restorable: [
    'The record cannot be restored from the trash.',
    'El registro no se puede restaurar de la papelera.',
    'Запись нельзя восстановить из корзины.',
    'O registro não pode ser restaurado da lixeira.',
  ],
  changed_since: [
    'Someone has changed it since.',
    'Alguien lo ha cambiado desde entonces.',
    'С тех пор это кто-то изменил.',
    'Alguém mudou isto desde então.',
  ],
}

export const rowErrorText = (reason: RowErrorReason, language: Language): string =>
  inLanguage(words[reason], language)

/** A fault of a row and its column; null for the whole row. Faults from other rules have no reason. */
export interface RowFault extends RowError {
  column: number | null
  reason?: RowErrorReason
}

/** Creates the fault of a reason. `names` are added to its detail. */
export function rowFault(reason: RowErrorReason, column: number | null = null, names?: string): RowFault {
  const { code, detail } = rowErrors[reason]
  return { column, reason, code, detail: names === undefined ? detail : `${detail}: ${names}` }
}
