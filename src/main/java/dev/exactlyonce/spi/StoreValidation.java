package dev.exactlyonce.spi;

/**
 * Reports configuration faults to the deployment, which fails and lists all of them.
 *
 * <pre>{@code
 * if (validation.find(USERNAME).isPresent() && validation.find(PASSWORD).isEmpty()) {
 *     validation.fault(USERNAME, "needs " + PASSWORD.name());
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface StoreValidation extends SettingValues {
    /** Whether the application has chosen this store. */
    boolean isChosen();

    /** The application's name, as a default file name may contain it. */
    String applicationName();

    /**
     * Reports a fault.
     *
     * @param fault what is wrong and what is allowed, without the setting's name; never a secret or an address
     */
    void fault(SettingDefinition<?> setting, String fault);

    /** Whether a fault of this setting has been reported, by its type or by {@link #fault}. */
    boolean hasFault(SettingDefinition<?> setting);
}
