#if canImport(SwiftUI)
    public import ErrorCore
    public import SwiftUI

    extension View {
        /// Shows an error as an alert while there is one; `choose` is called with the option that is tapped.
        ///
        /// An error without a bound option gets the system's own OK.
        public func errorAlert(
            _ presentation: Binding<ErrorPresentation?>, choose: @escaping @MainActor (ErrorRecoveryOption) -> Void
        ) -> some View {
            let isShown = Binding(get: { presentation.wrappedValue != nil }, set: { if !$0 { presentation.wrappedValue = nil } })
            return alert(
                Text(verbatim: presentation.wrappedValue?.title ?? ""), isPresented: isShown,
                presenting: presentation.wrappedValue
            ) { shown in
                ErrorOptionButtons(shown, choose: choose)
            } message: { shown in
                Text(verbatim: shown.message)
            }
        }
    }
#endif
