/**
 * The words that may follow `ui:` in a uiSchema: those of RJSF (its reference page "uiSchema" and the type
 * `UIOptionsBaseType`), the templates that may be exchanged, and `groups`, which is ours.
 */
export const uiWords: readonly string[] = `
  field fieldReplacesAnyOrOneOf globalOptions definitions options widget order groups layout layoutGrid title
  description help placeholder label labels classNames style inline rows accept filePreview inputType
  autocomplete autocapitalize autofocus disabled readonly emptyValue enumDisabled enumNames enumOrder hideError
  rootFieldId addable orderable removable copyable duplicateKeySuffixSeparator submitButtonOptions
  allowClearTextInputs deprecatedHandling enableMarkdownInDescription enableMarkdownInHelp
  enableOptionalDataFieldForType additionalPropertyKeyDefault optionalDataControls optionsSchemaSelector name
  yearsRange format hideNowButton hideClearButton norender formContext keys useRawInputForNumber FieldTemplate
  ArrayFieldTemplate ArrayFieldItemTemplate ArrayFieldTitleTemplate ArrayFieldDescriptionTemplate
  ObjectFieldTemplate BaseInputTemplate TitleFieldTemplate DescriptionFieldTemplate ErrorListTemplate
  FieldErrorTemplate FieldHelpTemplate ButtonTemplates UnsupportedFieldTemplate WrapIfAdditionalTemplate
  MultiSchemaFieldTemplate GridTemplate
`
  .trim()
  .split(/\s+/)
