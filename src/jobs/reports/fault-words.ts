import type { FaultCode } from '../../errors.ts'
import { inLanguage, type Language, type Words } from '../../events/event-types.ts'

/** The faults of values that the rules of records refuse, in the words of the pages (`faults` in web/i18n). */
const words: Record<FaultCode, Words> = {
  FieldMissing: [
    'This field is required.',
    'Este campo es obligatorio.',
    'Это обязательное поле.',
    'Este campo é obrigatório.',
  ],
  InvalidType: [
    'This value has the wrong type.',
    'Este valor no es del tipo correcto.',
    'Значение не того типа.',
    'Este valor é do tipo errado.',
  ],
  NotNullable: [
    'This value cannot be empty.',
    'Este valor no puede estar vacío.',
    'Значение не может быть пустым.',
    'Este valor não pode ser vazio.',
  ],
  NotBlank: ['Fill in this field.', 'Rellene este campo.', 'Заполните это поле.', 'Preencha este campo.'],
  NotSupportedChoice: [
    'This option is not available.',
    'Esta opción no está disponible.',
    'Такой вариант недоступен.',
    'Esta opção não está disponível.',
  ],
  TooShort: ['This is too short.', 'Es demasiado corto.', 'Слишком коротко.', 'É curto demais.'],
  TooLong: ['This is too long.', 'Es demasiado largo.', 'Слишком длинно.', 'É longo demais.'],
  TooFew: [
    'There are too few values.',
    'Hay muy pocos elementos.',
    'Слишком мало элементов.',
    'Há itens de menos.',
  ],
  TooMany: [
    'There are too many values.',
    'Hay demasiados elementos.',
    'Слишком много элементов.',
    'Há itens demais.',
  ],
  OutOfRange: [
    'This value is out of range.',
    'El valor está fuera del intervalo permitido.',
    'Значение вне допустимых границ.',
    'O valor está fora do intervalo permitido.',
  ],
  InvalidFormat: [
    'This value has the wrong format.',
    'El formato no es el esperado.',
    'Неверный формат.',
    'O formato não é o esperado.',
  ],
  NotUnique: ['This is already taken.', 'Ya está en uso.', 'Уже занято.', 'Já está em uso.'],
}

export const faultCodeText = (code: FaultCode, language: Language): string =>
  inLanguage(words[code], language)

export const faultCodes = Object.keys(words) as FaultCode[]
